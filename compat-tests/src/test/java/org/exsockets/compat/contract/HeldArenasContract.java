package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Arenas of java.lang.foreign cannot be closed while a call uses a buffer of theirs. */
@Tag("placed")
class HeldArenasContract extends Contract {
    /** More than any transport keeps under way. */
    private static final int HUGE_BYTES = 48 << 20;

    @BeforeEach
    void assumeArenas() {
        assumeTrue(Arenas.present(), "no arenas");
    }

    private static void assertHeld(AutoCloseable arena) {
        assertThrowsA(IllegalStateException.class, arena::close);
    }

    @Test
    void anArenaCannotBeClosedWhileAWriteOfItsBufferWaits() throws Exception {
        ChannelPair pair = channelPair();
        AutoCloseable arena = Arenas.shared();
        ByteBuffer source = Arenas.allocate(arena, HUGE_BYTES);
        Pattern.put(0, source);
        Background<Integer> write = Background.start(() -> {
            writeFully(pair.client(), source);
            return source.position();
        });
        write.awaitBlockedIn("write");
        assertHeld(arena);
        readPattern(pair.server(), 0, HUGE_BYTES);
        assertEquals(HUGE_BYTES, write.result());
        arena.close();
    }

    @Test
    void anArenaCannotBeClosedWhileAReadIntoItsBufferWaits() throws Exception {
        for (int length : new int[] {100, 1 << 20}) {
            ChannelPair pair = channelPair();
            AutoCloseable arena = Arenas.shared();
            ByteBuffer target = Arenas.allocate(arena, length);
            Background<Integer> read = Background.start(() -> pair.client().read(target));
            read.awaitBlockedIn("read");
            assertHeld(arena);
            writeFully(pair.server(), Pattern.buffer(0, 100));
            int n = read.result();
            Pattern.check(0, target.flip().limit(n));
            arena.close();
        }
    }

    @Test
    void anArenaCannotBeClosedWhileAnAsynchronousReadIsPending() throws Exception {
        var listener = listeningChannel();
        AsynchronousSocketChannel client = closing(AsynchronousSocketChannel.open());
        Patience.get("connect", client.connect(testAddress(port(listener))));
        SocketChannel server = closing(listener.accept());
        AutoCloseable arena = Arenas.shared();
        ByteBuffer target = Arenas.allocate(arena, 100);
        Future<Integer> read = client.read(target);
        assertHeld(arena);
        writeFully(server, Pattern.buffer(0, 50));
        int n = Patience.get("read", read);
        Pattern.check(0, target.flip().limit(n));
        arena.close();
        assertConfinedRefused(client);
    }

    private static void assertConfinedRefused(AsynchronousSocketChannel client) throws Exception {
        ByteBuffer confined = Arenas.confined();
        if (Runtime.version().feature() < 26) {
            ExecutionException refused =
                    assertThrowsA(ExecutionException.class, () -> Patience.get("the refusal", client.write(confined)));
            assertEquals(
                    IllegalStateException.class,
                    refused.getCause().getCause().getClass(),
                    refused.getCause().toString());
            return;
        }
        String words = "Buffer is thread confined";
        assertThrows(IllegalArgumentException.class, words, () -> client.read(confined));
        assertThrows(IllegalArgumentException.class, words, () -> client.write(confined));
        client.close();
        assertThrows(IllegalArgumentException.class, words, () -> client.write(confined));
    }
}
