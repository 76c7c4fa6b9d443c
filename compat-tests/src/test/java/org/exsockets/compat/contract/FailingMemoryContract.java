package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.TruncatedFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory of the program that cannot be read or written from some byte on: mapped files that have been truncated. What a call says has gone has gone, nothing else has, and both directions go on.
 */
@Tag("placed")
@Tag("noagent")
class FailingMemoryContract extends Contract {
    private static final int PAGE = 4096;
    private static final int FAILING_BYTES = 400_000;

    /** Calls after which both compilers have compiled what is called. */
    private static final int HOT = 30_000;

    private static final byte[] AFTERWARDS = {65, 66, 67};

    /** {@return a buffer whose first {@code good} bytes are those of the pattern, and whose others are not there any more} */
    private static MappedByteBuffer failing(int good) throws IOException {
        return TruncatedFile.map(good, FAILING_BYTES);
    }

    /** Bytes written by one call: what it has returned, or 0 if it has failed as it must. */
    private interface Way {
        long write(SocketChannel channel, ByteBuffer failing) throws IOException;
    }

    private static long written(SocketChannel channel, Way way, ByteBuffer failing, boolean mustFail)
            throws IOException {
        try {
            long n = way.write(channel, failing);
            assertTrue(!mustFail && n > 0, "written: " + n);
            return n;
        } catch (IOException e) {
            assertEquals("Bad address", e.getMessage());
            return 0;
        }
    }

    /** @param before bytes of the pattern that the way writes before those that fail */
    private void assertGoesOn(int good, int before, boolean blocking, Way way) throws Exception {
        ChannelPair pair = channelPair();
        Background<byte[]> received = Background.start(() -> readAll(pair.server()));
        pair.client().configureBlocking(blocking);
        MappedByteBuffer failing = failing(good);
        int first = failing.position();
        long n = written(pair.client(), way, failing, good + before == 0);
        assertTrue(n <= before + good, "written=" + n + ", readable=" + good);
        assertEquals(first + Math.max(0, n - before), failing.position());
        pair.client().configureBlocking(true);
        writeFully(pair.client(), ByteBuffer.wrap(AFTERWARDS));
        pair.client().shutdownOutput();
        byte[] expected = new byte[(int) n + AFTERWARDS.length];
        byte[] pattern = Pattern.bytes(0, Math.max(1, good));
        for (int i = 0; i < n; i++) {
            expected[i] = i < before ? (byte) i : pattern[i - before];
        }
        System.arraycopy(AFTERWARDS, 0, expected, (int) n, AFTERWARDS.length);
        assertArrayEquals(expected, received.result());
        assertAnswers(pair.server(), pair.client());
    }

    private static byte[] readAll(SocketChannel channel) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(100_000);
        while (channel.read(buffer.clear()) >= 0) {
            all.write(buffer.array(), 0, buffer.position());
        }
        return all.toByteArray();
    }

    private static void assertAnswers(SocketChannel from, SocketChannel to) throws IOException {
        writeFully(from, Pattern.buffer(0, 10));
        readPattern(to, 0, 10);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2047, PAGE - 1, PAGE, PAGE + 1, 65_536, 70_000, 262_144, 300_000})
    void aWriteSendsNothingThatCannotBeRead(int good) throws Exception {
        assertGoesOn(good, 0, true, SocketChannel::write);
        assertGoesOn(good, 0, false, SocketChannel::write);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10_000, 300_000})
    void aGatheringWriteSendsNothingThatCannotBeRead(int good) throws Exception {
        for (int before : new int[] {10, 100_000}) {
            ByteBuffer whole = ByteBuffer.allocate(before);
            for (int i = 0; i < before; i++) {
                whole.put(i, (byte) i);
            }
            ByteBuffer behind = ByteBuffer.allocateDirect(100);
            assertGoesOn(
                    good,
                    before,
                    true,
                    (channel, failing) ->
                            channel.write(new ByteBuffer[] {whole.duplicate(), failing, behind.duplicate()}));
            assertGoesOn(
                    good,
                    before,
                    false,
                    (channel, failing) ->
                            channel.write(new ByteBuffer[] {whole.duplicate(), failing, behind.duplicate()}));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, PAGE, 10_000, 70_000})
    void aReadTakesNothingThatCannotBeStored(int good) throws Exception {
        for (int coming : new int[] {1, 5_000, 60_000}) {
            for (boolean scatters : new boolean[] {false, true}) {
                ChannelPair pair = channelPair();
                writeFully(pair.server(), Pattern.buffer(0, coming));
                pair.server().shutdownOutput();
                MappedByteBuffer failing = failing(good);
                ByteBuffer ahead = ByteBuffer.allocate(20);
                int first = failing.position();
                long n = 0;
                try {
                    n = scatters
                            ? pair.client().read(new ByteBuffer[] {ahead, failing})
                            : pair.client().read(failing);
                    assertTrue(n > 0);
                } catch (IOException e) {
                    assertEquals("Bad address", e.getMessage());
                }
                int inAhead = scatters ? (int) Math.min(n, 20) : 0;
                assertEquals(inAhead, ahead.position());
                assertEquals(first + n - inAhead, failing.position());
                assertTrue(n - inAhead <= good, "read=" + n + ", room=" + good);
                Pattern.check(0, ahead.flip());
                Pattern.check(inAhead, failing.flip().position(first));
                readPattern(pair.client(), n, coming);
                assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
                assertAnswers(pair.client(), pair.server());
            }
        }
    }

    /** Compiled code may notice later than interpreted code that memory is not there. */
    @Test
    void hotCallsFailAsColdOnes() throws Exception {
        ChannelPair pair = channelPair();
        MappedByteBuffer source = failing(100);
        MappedByteBuffer target = failing(100);
        int from = source.position();
        int to = target.position();
        for (int i = 0; i < HOT; i++) {
            source.limit(from + 50).position(from);
            target.limit(to + 50).position(to);
            assertEquals(50, pair.client().write(source));
            while (target.hasRemaining()) {
                assertTrue(pair.server().read(target) > 0);
            }
        }
        writeFully(pair.client(), Pattern.buffer(0, 10));
        source.limit(source.capacity()).position(from + 100);
        target.limit(target.capacity()).position(to + 100);
        for (int i = 0; i < 3; i++) {
            assertThrows(IOException.class, "Bad address", () -> pair.client().write(source));
            assertThrows(IOException.class, "Bad address", () -> pair.server().read(target));
        }
        readPattern(pair.server(), 0, 10);
        assertAnswers(pair.client(), pair.server());
    }

    /** What is written then gets nowhere, but that shows later; the memory is read first. */
    @Test
    void writesToAPeerThatHasClosedFail() throws Exception {
        ChannelPair pair = channelPair();
        pair.server().close();
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
        MappedByteBuffer source = failing(0);
        ByteBuffer behind = ByteBuffer.allocate(1);
        assertThrows(IOException.class, "Bad address", () -> pair.client().write(source));
        assertThrows(IOException.class, "Bad address", () -> pair.client().write(new ByteBuffer[] {source, behind}));
        assertEquals(1, pair.client().write(behind));
    }

    @Test
    void asynchronousOperationsFail() throws Exception {
        ChannelPair pair = channelPair();
        AsynchronousSocketChannel client = closing(AsynchronousSocketChannel.open());
        var listener = listeningChannel();
        Patience.get("connect", client.connect(testAddress(port(listener))));
        SocketChannel server = closing(listener.accept());
        assertBadAddress(client.write(failing(0)));
        Patience.get("write", client.write(ByteBuffer.wrap(AFTERWARDS)));
        ByteBuffer received = ByteBuffer.allocate(10);
        while (received.position() < AFTERWARDS.length) {
            server.read(received);
        }
        assertArrayEquals(AFTERWARDS, Arrays.copyOf(received.array(), received.position()));
        writeFully(server, Pattern.buffer(0, 10));
        assertBadAddress(client.read(failing(0)));
        ByteBuffer read = ByteBuffer.allocate(10);
        while (read.hasRemaining()) {
            Patience.get("read", client.read(read));
        }
        Pattern.check(0, read.flip());
        assertAnswers(pair.client(), pair.server());
    }

    private static void assertBadAddress(Future<Integer> operation) {
        Throwable cause = assertThrowsA(ExecutionException.class, () -> Patience.get("the failure", operation))
                .getCause();
        assertEquals(IOException.class, cause.getClass());
        assertEquals("Bad address", cause.getMessage());
    }
}
