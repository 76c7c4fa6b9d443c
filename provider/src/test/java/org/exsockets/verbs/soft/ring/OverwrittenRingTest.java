package org.exsockets.verbs.soft.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.SpinGate;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.verbs.soft.meet.SoftFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sender finds that the ring it writes to was overwritten, and nothing else makes it find that. "a" sends. */
class OverwrittenRingTest extends SoftFixture {
    private QueuePair sender;
    private Endpoint a;
    private Endpoint b;
    private SharedWords shared;

    @BeforeEach
    void connectAndPostReceives() throws Exception {
        Pair pair = connect();
        a = pair.a();
        b = pair.b();
        sender = a.queuePair();
        shared = new SharedWords(a);
        for (int i = 0; i < DEPTH; i++) {
            postReceive(b, i);
        }
    }

    private void send() {
        post(a, new WorkRequest().send(ByteBuffer.allocate(1), 0, 1));
    }

    private void take() throws Exception {
        poll(b);
        postReceive(b, 0);
    }

    private void assertIntact() {
        assertTrue(sender.isIntact());
        assertTrue(b.queuePair().isIntact());
    }

    @Test
    void aRingThatIsUsedIsIntact() throws Exception {
        assertIntact();
        for (int round = 0; round < 3 * DEPTH; round++) {
            for (int i = 0; i < 1 + round % DEPTH; i++) {
                send();
                assertIntact();
            }
            for (int i = 0; i < 1 + round % DEPTH; i++) {
                poll(b);
                assertIntact();
                postReceive(b, 0);
                assertIntact();
            }
        }
    }

    @Test
    void aMessageThatIsNotThereAnyMoreIsMissed() throws Exception {
        for (int i = 0; i < DEPTH + 3; i++) {
            send();
            take();
        }
        send();
        long header = shared.header(false, DEPTH + 3);
        for (long other : new long[] {0, header - (1L << 32), header + (1L << 32), header ^ 1 << 16, ~header}) {
            shared.header(false, DEPTH + 3, other);
            assertFalse(sender.isIntact(), "header: " + Long.toHexString(other));
            assertTrue(b.queuePair().isIntact(), "its own ring is");
            shared.header(false, DEPTH + 3, header);
            assertIntact();
        }
    }

    @Test
    void itIsMissedBehindOthers() {
        send();
        send();
        send();
        shared.header(false, 1, 0);
        assertFalse(sender.isIntact());
    }

    @Test
    void whatHasBeenTakenMayBeOverwritten() throws Exception {
        send();
        take();
        shared.header(false, 0, 0);
        assertIntact();
        send();
        assertIntact();
    }

    @Test
    void aSenderThatIsStoppedWhilePublishingMissesNothing() {
        SpinGate publishing = ((SoftQueuePair) sender).publishing;
        send();
        publishing.enter();
        shared.payload(false, 1, -1); // Its header is yet to come.
        assertIntact();
        shared.header(false, 0, 0);
        assertIntact();
        publishing.exit();
        assertFalse(sender.isIntact());
    }

    @Test
    void moreReceivesThanThereCanBeAreFound() throws Exception {
        send();
        take();
        send();
        long posted = shared.posted(false);
        assertEquals(DEPTH + 1, posted);
        for (long other :
                new long[] {posted + 2, posted - DEPTH, Long.MIN_VALUE, Long.MIN_VALUE + DEPTH, Long.MAX_VALUE}) {
            shared.posted(false, other);
            assertFalse(sender.isIntact(), "posted: " + other);
            shared.posted(false, posted);
            assertIntact();
        }
    }

    /** The sender takes the lost message for a taken one, and the receiver has nothing to take. */
    @Test
    void aCountThatHidesALostMessageIsFoundByItsOwner() {
        send();
        shared.header(false, 0, 0);
        shared.posted(false, shared.posted(false) + 1);
        assertTrue(sender.isIntact());
        assertFalse(b.queuePair().isIntact());
    }

    /** The receiver does not know whether its count is old, and the sender looks at messages that were taken, too. */
    @Test
    void aCountThatIsTooSmallHidesNoLostMessage() throws Exception {
        send();
        send();
        take();
        take();
        send();
        shared.posted(false, shared.posted(false) - 2);
        assertIntact();
        shared.header(false, 2, 0);
        assertFalse(sender.isIntact());
    }

    @Test
    void aLostMessageIsFoundWhenTheCountThatHidItIsRightAgain() throws Exception {
        send();
        send();
        shared.header(false, 1, 0);
        shared.posted(false, shared.posted(false) + 2);
        assertTrue(sender.isIntact());
        take();
        assertTrue(b.queuePair().isIntact());
        assertFalse(sender.isIntact());
    }

    @Test
    void anEndThatKnowsAnotherUseWouldWaitForEver() {
        send();
        shared.use(7);
        assertFalse(sender.isIntact());
    }
}
