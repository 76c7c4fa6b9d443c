package org.exsockets.verbs.soft.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.layout.SleepSignDescriptor;
import org.exsockets.verbs.soft.meet.SoftFixture;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.OwnSign;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who polls several completion queues shows one sign on all of them. */
class SleepSignTest extends SoftFixture {
    private static final int SIGN_OF_B_OFFSET = 512 + 8;

    @Test
    void aCompletionGivesAnEventOnlyWhileTheSignSaysAsleep() throws Exception {
        Pair pair = connect();
        SleepSign sign = show(pair.b());
        send(pair.a());
        assertEvents(0, pair.b());
        assertTrue(asleep(sign));
        assertEvents(0, pair.b());
        send(pair.a());
        assertEvents(1, pair.b());
        sign.awake();
        send(pair.a());
        assertEvents(0, pair.b());
    }

    @Test
    void onlyTheFirstCompletionOfASleepGivesAnEvent() throws Exception {
        Pair one = connect();
        Pair other = connect();
        SleepSign sign = show(one.b());
        assertTrue(show(other.b(), sign));
        for (int sleep = 0; sleep < 3; sleep++) {
            postReceive(other.b(), sleep);
            asleep(sign);
            send(one.a());
            send(other.a());
            send(one.a());
            assertEvents(1, one.b());
            assertEvents(0, other.b());
            sign.awake();
            assertEquals(Status.SUCCESS, poll(other.b()).status, "it is there all the same");
        }
    }

    @Test
    void bothEndsShowSigns() throws Exception {
        Pair pair = connect();
        SleepSign a = show(pair.a());
        SleepSign b = show(pair.b());
        asleep(a);
        send(pair.a());
        assertEvents(0, pair.b());
        send(pair.b());
        assertEvents(1, pair.a());
        asleep(b);
        send(pair.a());
        assertEvents(1, pair.b());
    }

    @Test
    void aNotificationThatWasAskedForComesToo() throws Exception {
        Pair one = connect();
        Pair other = connect();
        SleepSign sign = show(one.b());
        show(other.b(), sign);
        queue(other.b()).requestNotification();
        asleep(sign);
        send(one.a());
        assertEvents(1, one.b());
        send(other.a());
        assertEvents(1, other.b());
    }

    @Test
    void theSignThatIsShownFirstStaysUntilItIsHidden() throws Exception {
        Pair pair = connect();
        SleepSign first = show(pair.b());
        SleepSign second = queue(pair.b()).openSleepSign();
        assertFalse(show(pair.b(), second));
        queue(pair.b()).hide(second);
        assertTrue(show(pair.b(), first));
        asleep(second);
        send(pair.a());
        assertEvents(0, pair.b());
        queue(pair.b()).hide(first);
        assertTrue(show(pair.b(), second));
        send(pair.a());
        assertEvents(1, pair.b());
    }

    @Test
    void aHiddenSignIsNotLookedAt() throws Exception {
        Pair pair = connect();
        SleepSign sign = show(pair.b());
        asleep(sign);
        queue(pair.b()).hide(sign);
        send(pair.a());
        assertEvents(0, pair.b());
    }

    @Test
    void anEventOnAConnectionThatIsNotWaitedForAnyMoreStandsForNoOther() throws Exception {
        Pair one = connect();
        Pair other = connect();
        SleepSign sign = show(one.b());
        assertTrue(show(other.b(), sign));
        queue(one.b()).hide(sign);
        asleep(sign);
        EndpointSigns waker = ((SoftEndpoint) one.a()).signs; // Has looked for the sign before it was hidden.
        waker.wakePeer(SegmentDescriptor.sign(0, 0, false), false);
        assertEvents(1, one.b());
        send(other.a());
        assertEvents(1, other.b());
    }

    @Test
    void whoTakesASignOverIsNotTakenForTheSleeperBefore() throws Exception {
        Pair pair = connect();
        SleepSign before = show(pair.b());
        asleep(before);
        send(pair.a());
        assertEvents(1, pair.b());
        queue(pair.b()).hide(before);
        before.close();
        SleepSign now = show(pair.b());
        send(pair.a());
        assertEvents(0, pair.b());
        asleep(now);
        send(pair.a());
        assertEvents(1, pair.b());
    }

    @Test
    void thereAreSoManySigns() throws Exception {
        CompletionQueue queue = queue(connect().b());
        List<SleepSign> all = new ArrayList<>();
        for (SleepSign sign; (sign = queue.openSleepSign()) != null; ) {
            all.add(sign);
        }
        assertEquals(SleepSignDescriptor.SIGNS, all.size());
        all.get(7).close();
        assertNotNull(queue.openSleepSign());
        assertNull(queue.openSleepSign());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, SleepSignDescriptor.SIGNS + 1, Integer.MAX_VALUE})
    void forASignThatCannotBeEachCompletionGivesAnEvent(int number) throws Exception {
        Pair pair = connect();
        show(pair.b());
        segmentOf(pair.b()).putLong(SIGN_OF_B_OFFSET, number & 0xFFFF_FFFFL);
        for (int i = 0; i < 2; i++) {
            send(pair.a());
            assertEvents(1, pair.b());
        }
    }

    /** What the peer's signs are in comes with its answer to the first hello: here it is lost. */
    @Test
    void forSignsThatHaveNotBeenPassedEachCompletionGivesAnEvent() throws Exception {
        Endpoint a = connectOnly(PARAMETERS);
        Endpoint b = accept(listener());
        ((Doorbell) a.queuePair().completionChannel()).onPassed(NativeMemory::close);
        show(b);
        for (int i = 0; i < 2; i++) {
            send(a);
            assertEvents(1, b);
        }
    }

    @Test
    void signsAreThereThoughAnEventHasComeBeforeThem() throws Exception {
        Endpoint a = connectOnly(PARAMETERS);
        a.queuePair().completionQueue().requestNotification();
        Endpoint b = accept(listener());
        send(b);
        SleepSign sign = show(b);
        send(a);
        assertEvents(0, b);
        assertTrue(asleep(sign));
        send(a);
        assertEvents(1, b);
        assertEvents(1, a);
        assertEvents(0, a);
    }

    private static ByteBuffer segmentOf(Endpoint end) {
        return ((SoftEndpoint) end).segment.mapping().memory();
    }

    @Test
    void aCellThatCannotBeIsNotSet() throws Exception {
        Pair pair = connect();
        show(pair.b());
        long sign = SegmentDescriptor.sign(0, SleepSignDescriptor.CELLS, true);
        segmentOf(pair.b()).putLong(SIGN_OF_B_OFFSET, sign);
        send(pair.a());
        assertEvents(1, pair.b());
    }

    @Test
    void onlyWhatIsToBeSetIsSet() throws Exception {
        Pair one = connect();
        Pair other = connect();
        SleepSign sign = queue(one.b()).openSleepSign();
        int hot = sign.openCell();
        int cold = sign.openCell();
        assertTrue(queue(one.b()).show(sign, hot, false));
        assertTrue(queue(other.b()).show(sign, cold, true));
        send(one.a());
        assertEquals(List.of(), news(sign));
        for (int i = 0; i < 2; i++) {
            send(other.a());
            send(other.a());
            send(one.a());
            assertEquals(List.of(cold), news(sign));
            assertEquals(List.of(), news(sign));
        }
        assertTrue(queue(other.b()).show(sign, cold, false));
        send(other.a());
        assertEquals(List.of(), news(sign));
        assertEvents(0, one.b());
        assertEvents(0, other.b());
    }

    @Test
    void anEndIsSetAlways() throws Exception {
        Pair pair = connect();
        SleepSign sign = show(pair.b());
        pair.a().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        assertEquals(List.of(0), news(sign));
    }

    @Test
    void whoSleepsOnTheWordIsWokenThereByTheFirstCompletion() throws Exception {
        Pair one = connect();
        Pair other = connect();
        SleepSign sign = show(one.b());
        show(other.b(), sign);
        for (int i = 0; i < 3; i++) {
            assertTrue(sign.asleep(SleepSign.Place.WORD));
            assertFalse(sign.word().sleep(1), "nobody has anything");
            Thread sleeper = new Thread(() -> sign.word().sleep(Long.MAX_VALUE));
            sleeper.start();
            send(one.a());
            send(other.a());
            sleeper.join();
            assertTrue(sign.word().sleep(Long.MAX_VALUE), "the word says so, too");
            sign.awake();
        }
        assertEvents(0, one.b());
        assertEvents(0, other.b());
    }

    @Test
    void anEndWakesWhoSleepsOnTheWord() throws Exception {
        Pair pair = connect();
        SleepSign sign = show(pair.b());
        sign.asleep(SleepSign.Place.WORD);
        pair.a().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        assertTrue(sign.word().sleep(Long.MAX_VALUE));
    }

    @Test
    void theOwnerCanEndItsSleep() throws Exception {
        SleepSign sign = show(connect().b());
        sign.asleep(SleepSign.Place.WORD);
        sign.word().wake();
        assertTrue(sign.word().sleep(Long.MAX_VALUE));
    }

    @Test
    void cellsAreSharedOutInChunks() throws Exception {
        CompletionQueue queue = queue(connect().b());
        OwnSign one = (OwnSign) queue.openSleepSign();
        OwnSign other = (OwnSign) queue.openSleepSign();
        Set<Integer> ofAll = new HashSet<>();
        for (int i = 0; i < SleepSignDescriptor.CELLS / 2; i++) {
            assertEquals(i, one.openCell());
            assertEquals(i, other.openCell());
            assertTrue(ofAll.add(one.cellOfAll(i)));
            assertTrue(ofAll.add(other.cellOfAll(i)));
        }
        assertEquals(-1, one.openCell());
        one.closeCell(7);
        assertEquals(7, one.openCell());
        one.close();
        assertEquals(SleepSignDescriptor.CELLS / 2, other.openCell());
    }

    @Test
    void whoEverSetsItACellIsToldByItsNumberInTheSign() throws Exception {
        Pair pair = connect();
        SleepSign one = queue(pair.b()).openSleepSign();
        SleepSign other = queue(pair.b()).openSleepSign();
        int cell = -1;
        for (int i = 0; i < 3 * SleepSignDescriptor.CHUNK_CELLS; i++) {
            one.openCell();
            cell = other.openCell();
        }
        queue(pair.b()).show(other, cell, true);
        send(pair.a());
        assertEquals(List.of(), news(one));
        assertEquals(List.of(cell), news(other));
    }

    private static SleepSign show(Endpoint end) {
        SleepSign sign = queue(end).openSleepSign();
        assertTrue(show(end, sign));
        return sign;
    }

    private static boolean show(Endpoint end, SleepSign sign) {
        return queue(end).show(sign, sign.openCell(), false);
    }

    private static boolean asleep(SleepSign sign) {
        return sign.asleep(SleepSign.Place.CHANNELS);
    }

    private static List<Integer> news(SleepSign sign) {
        List<Integer> cells = new ArrayList<>();
        if (sign.hasNews()) {
            sign.takeNews(cells::add);
        }
        return cells;
    }

    private static CompletionQueue queue(Endpoint end) {
        return end.queuePair().completionQueue();
    }

    private static void send(Endpoint from) {
        post(from, new WorkRequest().send(ByteBuffer.allocate(0), 0, 0));
    }

    /** A doorbell is a byte: that there were not more is seen one by one. */
    private static void assertEvents(int expected, Endpoint end) {
        assertEquals(
                expected == 0 ? 0 : CompletionChannel.EVENT,
                end.queuePair().completionChannel().drain());
    }
}
