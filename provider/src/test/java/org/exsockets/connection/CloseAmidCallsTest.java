package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A reader leaves while another thread is amid a close that leaves bytes unread. */
class CloseAmidCallsTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 16, 1, 1);

    private static final Runnable NOTHING = () -> {};

    private ExsConnection closing;
    private ExsConnection peer;

    /** Run in each poll, and before each message. */
    private volatile Runnable onPoll = NOTHING;

    private volatile Runnable onSend = NOTHING;

    @BeforeEach
    void connect() throws Exception {
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(SoftDevices.open(), PARAMETERS);
        QueuePair queuePair = ends.connected().queuePair();
        CompletionQueue completions = Replacing.in(CompletionQueue.class, queuePair.completionQueue(), "poll", () -> {
            onPoll.run();
            return null;
        });
        QueuePair watched = queuePair;
        for (String message : List.of("send", "write", "writeWithImmediate")) {
            watched = Replacing.in(QueuePair.class, watched, message, () -> {
                onSend.run();
                return null;
            });
        }
        QueuePair both = Replacing.in(QueuePair.class, watched, "completionQueue", () -> completions);
        closing = new ExsConnection(Replacing.in(Endpoint.class, ends.connected(), "queuePair", () -> both));
        peer = new ExsConnection(ends.accepted());
    }

    @AfterEach
    void close() {
        closing.close(Close.ABORT);
        peer.close(Close.ABORT);
    }

    private Thread startToRead(int length) {
        Thread reader = new Thread(() -> read(length));
        reader.start();
        return reader;
    }

    private void read(int length) {
        try {
            closing.read(ByteBuffer.allocate(length), Wait.NONE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private int readOfPeer() throws IOException {
        return peer.read(ByteBuffer.allocate(10), Wait.INTERRUPTIBLE);
    }

    @ParameterizedTest
    @EnumSource(names = {"ORDERLY", "ABORT"})
    void itIsAResetWithoutAnEnd(Close how) throws Exception {
        peer.write(ByteBuffer.allocate(3), Wait.NONE);
        read(1);
        onPoll = () -> {
            onPoll = NOTHING;
            join(startToRead(1));
        };
        closing.close(how);
        assertThrows(SocketException.class, this::readOfPeer);
    }

    /** The reader is about to acknowledge what it has read, and so the FIN is its to send. */
    @Test
    void theOutputEndsBeforeTheResetThoughTheReaderHasToSendThat() throws Exception {
        peer.write(ByteBuffer.allocate(3_000), Wait.NONE);
        CountDownLatch sends = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        onSend = () -> {
            onSend = NOTHING;
            sends.countDown();
            await(closed);
        };
        Thread reader = startToRead(2_000);
        await(sends);
        closing.close(Close.OUTPUT_FIRST);
        closed.countDown();
        assertEquals(Outcome.END_OF_STREAM, readOfPeer());
        join(reader);
        assertThrows(IOException.class, () -> peer.write(ByteBuffer.allocate(1), Wait.NONE));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
