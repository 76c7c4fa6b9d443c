package org.exsockets.aio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each line of {@link Leadership}'s table; only times that must pass are waited for. */
@Timeout(60)
class LeadershipTest {
    private Leadership leadership;

    @BeforeEach
    void aGroupOfSeveralThreads() {
        leadership = new Leadership(false);
    }

    private long lead() {
        long term = leadership.tryLead();
        assertNotEquals(0, term);
        return term;
    }

    private void assertVacant() {
        assertTrue(leadership.vacant());
        assertFalse(leadership.selecting());
    }

    @Test
    void aThreadWithNothingElseToDoLeads() {
        assertVacant();
        long term = lead();
        assertTrue(leadership.selecting());
        assertFalse(leadership.vacant());
        assertTrue(leadership.isLed(term));
        assertEquals(0, leadership.tryLead(), "there is one leader");
    }

    @Test
    void eachLeadIsAnotherTerm() {
        long first = lead();
        leadership.giveUp(first);
        long second = lead();
        assertNotEquals(first, second);
        assertFalse(leadership.isLed(first));
        leadership.giveUp(first);
        assertTrue(leadership.isLed(second), "who does not lead any more gives nothing up");
        assertFalse(leadership.isLed(0));
    }

    @Test
    void theLeaderRunsShortHandlersItself() {
        long term = lead();
        assertFalse(leadership.handOver(term));
        leadership.beginHandlers(term, 1);
        assertFalse(leadership.selecting());
        assertFalse(leadership.vacant());
        assertTrue(leadership.isLed(term));
        assertTrue(leadership.endHandlers(term));
        assertTrue(leadership.selecting());
    }

    @Test
    void beforeLongHandlersItGivesTheLeadUp() {
        long term = lead();
        leadership.learn(System.nanoTime() - 1_000_000_000, 1);
        assertTrue(leadership.handOver(term));
        assertVacant();
        lead();
    }

    @Test
    void aHandlerThatThrowsEndsTheLead() {
        long term = lead();
        leadership.beginHandlers(term, 1);
        leadership.giveUp(term);
        assertVacant();
        assertFalse(leadership.endHandlers(term));
    }

    @Test
    void theWatcherTakesTheLeadFromAHandlerThatTakesTooLong() {
        long term = lead();
        leadership.beginHandlers(term, 1);
        leadership.beginSleep();
        leadership.sleep();
        leadership.endSleep();
        assertVacant();
        assertFalse(leadership.isLed(term));
        long next = lead();
        assertFalse(leadership.endHandlers(term), "the handler has come back: another thread leads");
        assertTrue(leadership.isLed(next));
        assertTrue(leadership.handOver(next), "such handlers have proved long");
    }

    @Test
    void aSingleThreadKeepsTheLeadWhateverItsHandlersTake() {
        leadership = new Leadership(true);
        long term = lead();
        leadership.learn(System.nanoTime() - 1_000_000_000, 1);
        assertFalse(leadership.handOver(term));
        leadership.beginHandlers(term, 1);
        assertTrue(leadership.endHandlers(term));
    }

    /** Whoever comes first: a handler begins and finds no watcher, or a watcher finds that all is quiet. */
    @Test
    void aHandlerThatBeginsWhileAllSleepIsWatched() throws InterruptedException {
        long term = lead();
        Thread follower = new Thread(() -> {
            leadership.beginSleep();
            while (!leadership.vacant()) {
                leadership.sleep();
            }
            leadership.endSleep();
        });
        follower.start();
        while (follower.getState() != Thread.State.WAITING) {
            Thread.sleep(1); // It watches for a while, then sleeps as others do.
        }
        leadership.beginHandlers(term, 1);
        follower.join();
        assertFalse(leadership.isLed(term));
    }
}
