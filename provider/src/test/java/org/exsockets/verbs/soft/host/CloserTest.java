package org.exsockets.verbs.soft.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.exsockets.jdk.DescriptorPoll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lingers for longer than any test may take, in the hands of who lets go of it last. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CloserTest {
    private static final int LINGER_SECONDS = 3_600;
    private static final int NONE = -1;
    private static final byte[] NAME =
            ("exs-closer-test/" + ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);

    private final List<SocketChannel> readers = new ArrayList<>();
    private ServerSocketChannel tcp;
    private LocalSocket listener;
    private LocalSocket stranger;

    @BeforeEach
    void listen() throws IOException {
        DescriptorPoll.require();
        tcp = ServerSocketChannel.open()
                .setOption(StandardSocketOptions.SO_RCVBUF, 4096)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener = LocalSocket.listen(NAME, 50);
        stranger = LocalSocket.open();
        assertEquals(0, stranger.connect(NAME, new long[1]));
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
        stranger.close();
        tcp.close();
        for (SocketChannel reader : readers) {
            reader.close();
        }
    }

    /** {@return a connection with bytes that its reader does not take} */
    private SocketChannel lingering() throws IOException {
        SocketChannel channel = SocketChannel.open(tcp.getLocalAddress());
        readers.add(tcp.accept());
        channel.setOption(StandardSocketOptions.SO_LINGER, LINGER_SECONDS);
        channel.configureBlocking(false);
        ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
        while (channel.write(bytes.clear()) > 0) {
            // Until there is room for no more.
        }
        return channel;
    }

    /** Passes a connection that lingers, and lets go of it. */
    private void pass(byte[] with) throws IOException {
        SocketChannel lingering = lingering();
        assertEquals(with.length, stranger.send(with, DescriptorPoll.descriptor(lingering), NONE));
        lingering.close(); // Not the last.
    }

    /** The last to let go has done so, and has sent what TCP sends then, without waiting for it to be taken. */
    private static void awaitClosersEnd() throws InterruptedException {
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().startsWith("exs-") && each.getName().endsWith("closer")) {
                each.join();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatNobodyHasReadIsNotWaitedFor(int messages) throws Exception {
        LocalSocket accepted = listener.accept(new long[1]);
        for (int i = 0; i < messages; i++) {
            pass(new byte[80]);
        }
        accepted.close();
        awaitClosersEnd();
    }

    @Test
    void whatWaitsAtAListenerThatClosesIsNotWaitedForAndItsNameIsFree() throws Exception {
        pass(new byte[80]);
        listener.close();
        listener = LocalSocket.listen(NAME, 50);
        awaitClosersEnd();
    }

    @Test
    void whatIsPassedAndNotWantedIsNotWaitedFor() throws Exception {
        LocalSocket accepted = listener.accept(new long[1]);
        pass(new byte[1]);
        int[] passed = {NONE, NONE};
        assertEquals(1, accepted.receive(new byte[80], 0, passed));
        assertEquals(NONE, passed[1]);
        LocalSocket.closePassed(passed[0]);
        accepted.close();
        awaitClosersEnd();
    }

    /** Of an established connection, which a selector knows. */
    @Test
    void whatComesBehindTheLastReadIsNotWaitedFor() throws Exception {
        LocalSocket accepted = listener.accept(new long[1]);
        assertTrue(accepted.selectable().isOpen());
        pass(new byte[] {UnixSockets.PASSED});
        accepted.close();
        awaitClosersEnd();
        assertFalse(accepted.selectable().isOpen());
    }

    /** One descriptor comes with a byte of a connection. */
    @Test
    void whoPassesMoreThanOneDescriptorIsAtItsEnd() throws Exception {
        LocalSocket accepted = listener.accept(new long[1]);
        try (SocketChannel one = lingering();
                SocketChannel two = lingering()) {
            stranger.send(new byte[1], DescriptorPoll.descriptor(one), DescriptorPoll.descriptor(two));
            one.setOption(StandardSocketOptions.SO_LINGER, -1);
            two.setOption(StandardSocketOptions.SO_LINGER, -1);
        }
        long drained = accepted.drain();
        assertEquals(0, (int) drained);
        LocalSocket.closePassed((int) (drained >>> Integer.SIZE) - 1);
        accepted.close();
        awaitClosersEnd();
    }
}
