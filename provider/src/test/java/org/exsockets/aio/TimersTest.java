package org.exsockets.aio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is due is told, in order and once; what is not, or was removed, is not. */
class TimersTest {
    private static final long HOUR_MS = 3_600_000;
    private static final long HOUR_NS = HOUR_MS * 1_000_000;
    private static final long NOW = System.nanoTime();

    private final Timers timers = new Timers();
    private final List<String> told = new ArrayList<>();

    private Timers.Timed tells(String name) {
        return (due, nowNs, completed) -> {
            assertFalse(Thread.holdsLock(timers), "the lock of a direction comes first");
            assertTrue(due.deadlineNs() - nowNs <= 0);
            told.add(name);
            completed.add(() -> {});
        };
    }

    private List<Runnable> expire() {
        List<Runnable> completed = new ArrayList<>();
        timers.expire(completed);
        return completed;
    }

    @Test
    void aGroupWithoutTimeOutsHasNoDeadline() {
        assertEquals(-1, timers.remainingMs());
        assertEquals(List.of(), expire());
        Timers.Entry only = timers.add(tells("only"), NOW);
        timers.remove(only);
        assertEquals(-1, timers.remainingMs());
        timers.add(tells("another"), NOW);
        expire();
        assertEquals(-1, timers.remainingMs());
    }

    @Test
    void theLeaderWaitsForTheFirstDeadline() {
        timers.add(tells("later"), System.nanoTime() + 2 * HOUR_NS);
        assertTrue(timers.remainingMs() > HOUR_MS);
        timers.add(tells("first"), System.nanoTime() + HOUR_NS);
        assertTrue(timers.remainingMs() > 0);
        assertTrue(timers.remainingMs() <= HOUR_MS);
        timers.add(tells("overdue"), NOW - HOUR_NS);
        assertEquals(0, timers.remainingMs(), "not negative, which says that there is none");
    }

    /** A wait that ended earlier would find nothing due, and be repeated. */
    @Test
    void theWaitEndsNotBeforeTheDeadline() {
        long deadlineNs = System.nanoTime() + HOUR_NS + 1;
        timers.add(tells("first"), deadlineNs);
        long remainingMs = timers.remainingMs();
        assertTrue(System.nanoTime() + remainingMs * 1_000_000 - deadlineNs >= 0);
    }

    @Test
    void whatIsDueIsToldInTheOrderOfDeadlinesAndOnce() {
        timers.add(tells("third"), NOW - 1);
        timers.add(tells("fourth, which was added later"), NOW - 1);
        timers.add(tells("first"), NOW - 3);
        timers.add(tells("second"), NOW - 2);
        timers.add(tells("not yet"), NOW + HOUR_NS);
        assertEquals(4, expire().size());
        assertEquals(List.of("first", "second", "third", "fourth, which was added later"), told);
        assertEquals(List.of(), expire());
    }

    @Test
    void deadlinesAreComparedWhereTheClockOverflows() {
        Timers.Entry before = new Timers.Entry(tells("before"), Long.MAX_VALUE, 1);
        Timers.Entry after = new Timers.Entry(tells("after"), Long.MIN_VALUE, 0);
        assertTrue(before.compareTo(after) < 0);
        assertTrue(after.compareTo(before) > 0);
    }

    @Test
    void whatWasRemovedIsNotTold() {
        timers.add(tells("first"), NOW - 2);
        Timers.Entry removed = timers.add(tells("removed"), NOW - 1);
        timers.remove(removed);
        timers.remove(removed);
        expire();
        assertEquals(List.of("first"), told);
        timers.remove(removed);
        assertEquals(-1, timers.remainingMs());
    }

    /** Its handler has closed the other's channel, say. */
    @Test
    void whoIsToldMayRemoveWhatIsDueNext() {
        Timers.Entry[] next = new Timers.Entry[1];
        timers.add((due, nowNs, completed) -> timers.remove(next[0]), NOW - 2);
        next[0] = timers.add(tells("next"), NOW - 1);
        expire();
        assertEquals(List.of(), told);
        assertEquals(-1, timers.remainingMs());
    }

    @Test
    void whoIsToldHasNoEntryAnyMoreAndMayAddOne() {
        Timers.Timed again = (due, nowNs, completed) -> {
            assertFalse(timers.isFirst(due));
            assertTrue(timers.isFirst(timers.add(tells("again"), nowNs + HOUR_NS)));
        };
        timers.add(again, NOW - 1);
        expire();
        assertTrue(timers.remainingMs() > 0);
        assertEquals(List.of(), told);
    }

    /** Who adds the first one wakes the leader, which may be waiting for a later one. */
    @Test
    void theFirstIsTheOneThatIsDueEarliest() {
        Timers.Entry later = timers.add(tells("later"), NOW + 2);
        assertTrue(timers.isFirst(later));
        Timers.Entry last = timers.add(tells("last"), NOW + 2);
        assertFalse(timers.isFirst(last), "added after another one with the same deadline");
        Timers.Entry first = timers.add(tells("first"), NOW + 1);
        assertTrue(timers.isFirst(first));
        assertFalse(timers.isFirst(later));
        timers.remove(first);
        assertTrue(timers.isFirst(later));
        timers.remove(later);
        timers.remove(last);
        assertFalse(timers.isFirst(last));
    }

    @Test
    void whoThrowsIsNotToldAgainAndTheOthersAreToldInTheNextRound() {
        timers.add(tells("before"), NOW - 3);
        timers.add(
                (due, nowNs, completed) -> {
                    throw new IllegalStateException("ours");
                },
                NOW - 2);
        timers.add(tells("behind"), NOW - 1);
        List<Runnable> completed = new ArrayList<>();
        assertThrows(IllegalStateException.class, () -> timers.expire(completed));
        assertEquals(1, completed.size(), "the handler of the one before is run all the same");
        assertEquals(0, timers.remainingMs(), "the leader does not wait");
        assertEquals(1, expire().size());
        assertEquals(List.of("before", "behind"), told);
    }
}
