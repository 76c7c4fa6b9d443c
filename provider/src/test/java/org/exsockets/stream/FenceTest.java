package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.exsockets.stream.direct.Receive;
import org.exsockets.stream.direct.Receive.Ending;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A receive whose memory is taken away from a peer that does not answer, among others that are advertised as well. */
@ParameterizedClass
@ValueSource(ints = {0, 32})
class FenceTest {
    private static final int RECEIVES = 3;
    private static final int LENGTH = 8;

    private final FakeEndpoint[] ends = FakeEndpoint.pair(64, 64, 16);
    private final int windows;
    private final StreamEngine receiver;
    private final StreamEngine sender;
    private final Receive[] receives = new Receive[RECEIVES];
    private final ProgramGrants.Grant[] grants = new ProgramGrants.Grant[RECEIVES];
    private byte nextSent;
    private byte nextReceived;

    FenceTest(int windows) {
        this.windows = windows;
        ends[0].windows(windows);
        receiver = new StreamEngine(ends[0]);
        sender = new StreamEngine(ends[1]);
    }

    private void advertise(boolean waitsForAll) {
        for (int i = 0; i < RECEIVES; i++) {
            grants[i] = ends[0].grants().lend();
            receives[i] = new Receive().into(grants[i].memory(), 0, LENGTH, waitsForAll, grants[i]);
            receiver.post(receives[i]);
            assertTrue(receives[i].isAdvertised());
        }
        deliver(ends[0]);
        sender.progress();
        assertTrue(sender.outgoing.direct.hasAdverts());
    }

    private static void deliver(FakeEndpoint from) {
        from.deliver(Integer.MAX_VALUE);
    }

    /** One transfer, which is under way then. */
    private void send(int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, nextSent++);
        }
        assertEquals(length, sender.outgoing.trySend(bytes));
    }

    /** The program gets the memory back, and a write of the peer to it is an error from now on. */
    private void fence(int index) {
        receiver.cancel(receives[index]);
        assertTrue(receiver.fence(receives[index]));
        assertTrue(receives[index].isDone());
        assertEquals(Ending.CANCELLED, receives[index].ending());
        ends[0].grants().giveBack(grants[index]);
    }

    private void settle() {
        for (int i = 0; i < 8; i++) {
            deliver(ends[0]);
            deliver(ends[1]);
            sender.progress();
            receiver.progress();
            fillAll();
        }
        assertNull(sender.failure());
        assertNull(receiver.failure());
    }

    private void fillAll() {
        for (Receive next = receiver.takeWaiting(); next != null; next = receiver.takeWaiting()) {
            boolean spilled = receiver.incoming.spilledBytes() > 0;
            int n = receiver.incoming.fill(next);
            if (!spilled) {
                ends[0].read(n);
            }
            receiver.filled(next, n);
        }
    }

    private void assertReceived(int index, int length) {
        assertTrue(receives[index].isDone(), "receive " + index);
        assertEquals(length, receives[index].received());
        for (int i = 0; i < length; i++) {
            assertEquals(nextReceived++, grants[index].memory().get(i));
        }
    }

    private void assertRead(int length) {
        ByteBuffer target = ByteBuffer.allocate(64);
        while (target.position() < length) {
            int before = target.position();
            assertTrue(receiver.incoming.tryReceive(target) > 0, "only " + before);
        }
        assertEquals(length, target.position());
        for (int i = 0; i < length; i++) {
            assertEquals(nextReceived++, target.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void whatThePeerHasWrittenToEachOfThemIsReadInItsOrder(int fenced) {
        advertise(false);
        for (int i = 0; i < RECEIVES; i++) {
            send(3 + i);
        }
        fence(fenced);
        settle();
        if (fenced == 0) {
            // The bytes of the first one go to the second, those of the second to the third.
            assertReceived(1, 3);
            assertReceived(2, 4);
            assertRead(5);
        } else if (fenced == 1) {
            assertReceived(0, 3);
            assertReceived(2, 4);
            assertRead(5);
        } else {
            assertReceived(0, 3);
            assertReceived(1, 4);
            assertRead(5);
        }
        assertFalse(sender.outgoing.direct.hasAdverts());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void whatThePeerHasNotBegunGoesToTheOthers(int fenced) {
        advertise(false);
        fence(fenced);
        settle();
        assertEquals(RECEIVES - 1, receiver.incoming.receives().size());
        send(LENGTH);
        settle();
        send(LENGTH);
        settle();
        for (int i = 0; i < RECEIVES; i++) {
            if (i != fenced) {
                assertReceived(i, LENGTH);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void bytesOfAReceiveThatWaitsForAllArriveBeforeThePeerAnswers(int fenced) {
        advertise(true);
        for (int i = 0; i < fenced; i++) {
            send(LENGTH);
        }
        send(LENGTH / 2);
        fence(fenced);
        deliver(ends[1]);
        receiver.progress();
        fillAll();
        assertNull(receiver.failure());
        // The peer is silent from here on: what it has written before can be read.
        for (int i = 0; i < fenced; i++) {
            assertReceived(i, LENGTH);
        }
        if (fenced < RECEIVES - 1) {
            assertFalse(receives[fenced + 1].isDone());
            settle();
            send(LENGTH / 2);
            settle();
            assertReceived(fenced + 1, LENGTH);
        } else {
            assertRead(LENGTH / 2);
        }
    }

    @Test
    void severalOneAfterTheOther() {
        advertise(false);
        send(2);
        fence(1);
        fence(0);
        fence(2);
        settle();
        assertEquals(0, receiver.incoming.receives().size());
        assertRead(2);
    }

    @Test
    void oneThatWasCancelledMeanwhileEndsWithIt() {
        advertise(false);
        receiver.cancel(receives[2]);
        fence(0);
        assertTrue(receives[2].isDone(), "its memory was taken away from the peer, too");
        assertEquals(Ending.CANCELLED, receives[2].ending());
        assertFalse(receives[1].isDone());
        send(4);
        settle();
        assertReceived(1, 4);
    }

    @Test
    void theEndOfTheStreamEndsThemAll() {
        advertise(true);
        send(3);
        fence(0);
        sender.outgoing.finish();
        settle();
        assertReceived(1, 3);
        assertEquals(Ending.END_OF_STREAM, receives[1].ending());
        assertEquals(0, receives[2].received());
        assertEquals(Ending.END_OF_STREAM, receives[2].ending());
    }

    @Test
    void aCancelledReceiveIsOverAtOnceUnlessThePeerIsWithinItsWindow() {
        assumeTrue(windows != 0, "the device has no windows");
        advertise(true);
        send(3);
        receiver.cancel(receives[1]);
        assertTrue(receives[1].isDone());
        receiver.cancel(receives[0]);
        assertFalse(receives[0].isDone(), "the peer is within");
        deliver(ends[1]);
        receiver.progress();
        assertTrue(receives[0].isDone(), "the peer has left");
        assertEquals(Ending.CANCELLED, receives[0].ending());
        assertReceived(0, 3);
        assertFalse(receives[2].isDone());
        send(2);
        settle();
        send(LENGTH - 2);
        settle();
        assertReceived(2, LENGTH);
    }

    @Test
    void anotherReceiveIsAdvertisedBehindOneWhoseWindowIsClosed() {
        assumeTrue(windows != 0, "the device has no windows");
        advertise(false);
        for (Receive each : receives) {
            receiver.cancel(each);
            assertTrue(each.isDone());
        }
        grants[0] = ends[0].grants().lend();
        receives[0] = new Receive().into(grants[0].memory(), 0, LENGTH, false, grants[0]);
        receiver.post(receives[0]);
        assertTrue(receives[0].isAdvertised(), "the peer need not have answered");
        deliver(ends[0]);
        sender.progress();
        send(LENGTH);
        settle();
        assertReceived(0, LENGTH);
        assertEquals(LENGTH, receives[0].receivedDirect());
    }

    @Test
    void aDeviceThatCannotLeavesAllAsItWas() {
        assumeTrue(windows == 0, "where the peer has not begun, windows need only be closed");
        advertise(false);
        ends[0].grants().detachable(false);
        receiver.cancel(receives[0]);
        assertFalse(receiver.fence(receives[0]));
        assertTrue(Arrays.stream(receives).noneMatch(Receive::isDone));
        send(5);
        send(6);
        settle();
        assertReceived(0, 5);
        assertReceived(1, 6);
    }
}
