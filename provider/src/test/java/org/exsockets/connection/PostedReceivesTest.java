package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.connection.direct.PostedReceives;
import org.exsockets.connection.direct.PostedReceives.PostedReceive;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Receives that are outstanding, over shared memory, both ends in this process and in one thread. */
class PostedReceivesTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(64 << 10, 256 << 10, 16, 1, 1);
    private static final int COUNT = 4;
    private static final int LENGTH = 256 << 10;

    private ExsConnection connection;
    private ExsConnection peer;
    private PostedReceives receives;
    private ByteBuffer memory;
    private final List<PostedReceive> posted = new ArrayList<>();

    @BeforeEach
    void connect() throws Exception {
        SoftDevice device = SoftDevices.open();
        ConnectedEndpoints ends = ConnectedEndpoints.onLoopback(device, PARAMETERS);
        memory = device.programAllocator().allocate(COUNT * LENGTH);
        assumeTrue(ends.connected().direct().lease(memory, 0, LENGTH) != null, "no native library");
        connection = new ExsConnection(ends.connected());
        peer = new ExsConnection(ends.accepted());
        receives = connection.receives();
    }

    @AfterEach
    void close() {
        receives.takeBack(posted);
        posted.forEach(receives::take);
        connection.close(Close.ABORT);
        peer.close(Close.ABORT);
    }

    private void post(int count, boolean waitsForAll) {
        for (int i = 0; i < count; i++) {
            PostedReceive receive = receives.newReceive();
            posted.add(receive);
            receives.post(receive, memory, i * LENGTH, LENGTH, waitsForAll);
        }
    }

    /**
     * A write does not wait for a background thread that is just looking at the connection: it goes through the hidden
     * buffer, which nobody reads here.
     */
    private void knowAdverts() {
        peer.progress.progressFully();
    }

    private PostedReceive take() {
        PostedReceive first = posted.remove(0);
        assertTrue(first.isDone());
        receives.take(first);
        return first;
    }

    private static ByteBuffer pattern(int from, int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) ((from + i) * 31 + (from + i >>> 8)));
        }
        return bytes;
    }

    private void assertPattern(int at, int from, int length) {
        assertEquals(pattern(from, length), memory.slice(at, length));
    }

    @Test
    void allOfThemAreFilledByThePeer() throws Exception {
        post(COUNT, true);
        assertFalse(receives.haveEnded());
        knowAdverts();
        assertEquals(COUNT * LENGTH, peer.write(pattern(0, COUNT * LENGTH), Wait.INTERRUPTIBLE));
        receives.advance();
        for (int i = 0; i < COUNT; i++) {
            assertTrue(receives.haveEnded());
            PostedReceive receive = take();
            assertEquals(LENGTH, receive.received());
            assertEquals(LENGTH, receive.receivedDirect());
        }
        assertFalse(receives.haveEnded());
        assertPattern(0, 0, COUNT * LENGTH);
        assertEquals(COUNT * LENGTH, connection.progress.traffic.bytesReceivedDirect);
        assertEquals(0, connection.progress.traffic.bytesReceivedIndirect);
    }

    @Test
    void whatWasThereBeforeIsCopied() throws Exception {
        assertEquals(1000, peer.write(pattern(0, 1000), Wait.NONE));
        post(1, false);
        receives.advance();
        assertEquals(1000, take().received());
        assertPattern(0, 0, 1000);
        assertEquals(1000, connection.progress.traffic.bytesReceivedIndirect);
    }

    @Test
    void nothingElseIsReadMeanwhile() throws Exception {
        post(1, false);
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThrows(IllegalStateException.class, () -> connection.read(target, Wait.NONE));
        assertEquals(10, peer.write(pattern(0, 10), Wait.NONE));
        receives.advance();
        assertEquals(10, take().received());
        assertEquals(Outcome.WOULD_BLOCK, connection.read(target, Wait.NONE));
    }

    @Test
    void theEndOfTheStreamEndsAll() throws Exception {
        post(COUNT, true);
        knowAdverts();
        peer.write(pattern(0, LENGTH + 10), Wait.INTERRUPTIBLE);
        peer.shutdownOutput();
        receives.advance();
        assertEquals(LENGTH, take().received());
        for (int i = 1; i < COUNT; i++) {
            PostedReceive receive = take();
            assertEquals(i == 1 ? 10 : 0, receive.received());
            assertTrue(receive.isEndOfStream());
        }
        assertPattern(0, 0, LENGTH + 10);
    }

    @Test
    void aResetEndsAll() throws Exception {
        post(COUNT, true);
        peer.close(Close.ABORT);
        while (!receives.haveEnded()) {
            receives.advance();
        }
        for (int i = 0; i < COUNT; i++) {
            assertTrue(take().isReset());
        }
    }

    @Test
    void whatIsTakenBackIsNotWrittenToAndTheStreamGoesOn() throws Exception {
        post(COUNT, true);
        receives.takeBack(posted);
        for (int i = 0; i < COUNT; i++) {
            PostedReceive receive = take();
            assertTrue(receive.isCancelled());
            assertEquals(0, receive.received());
        }
        ByteBuffer before = ByteBuffer.allocate(COUNT * LENGTH).put(0, memory, 0, COUNT * LENGTH);
        assertEquals(1000, peer.write(pattern(0, 1000), Wait.NONE));
        assertEquals(before, memory.duplicate().clear());
        ByteBuffer target = ByteBuffer.allocate(2000);
        assertEquals(1000, connection.read(target, Wait.NONE));
        assertEquals(pattern(0, 1000), target.flip());
    }

    @Test
    void theMemoryStaysAsLongAsAnythingIsOutstanding() throws Exception {
        post(1, true);
        connection.close(Close.ABORT);
        assertFalse(connection.progress.life.isReleased());
        receives.takeBack(posted);
        assertEquals(0, take().received());
        assertTrue(connection.progress.life.isReleased());
    }
}
