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
    private static final boolean POOL = false;
    private static final boolean DISPATCHER = true;

    private Leadership leadership;

    @BeforeEach
    void aGroupOfSeveralThreads() {
        leadership = new Leadership(false);
    }

    private long lead() {
        long turn = leadership.tryLead(POOL);
        assertNotEquals(0, turn);
        return turn;
    }

    private void assertVacant() {
        assertTrue(leadership.vacant());
        assertFalse(leadership.selecting());
    }

    @Test
    void aThreadWithNothingElseToDoLeads() {
        assertVacant();
        long turn = lead();
        assertTrue(leadership.selecting());
        assertFalse(leadership.vacant());
        assertTrue(leadership.isLed(turn));
        assertEquals(0, leadership.tryLead(POOL), "there is one leader");
        assertEquals(0, leadership.tryLead(DISPATCHER));
    }

    @Test
    void eachLeadIsAnotherTurn() {
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
    void theDispatcherLeadsWhileNoThreadOfThePoolSleeps() {
        assertNotEquals(0, leadership.tryLead(DISPATCHER));
        assertTrue(leadership.beginSleep(POOL), "it is to be woken, to offer the lead");
    }

    @Test
    void whileAThreadOfThePoolSleepsTheDispatcherOffersTheLead() {
        assertFalse(leadership.beginSleep(POOL));
        assertEquals(0, leadership.tryLead(DISPATCHER));
        assertVacant();
        assertEquals(0, leadership.tryLead(DISPATCHER), "it is offered to others");
        leadership.sleep(POOL);
        leadership.endSleep(POOL);
        lead();
    }

    @Test
    void aDispatcherThatLeadsOffersTheLead() {
        long turn = leadership.tryLead(DISPATCHER);
        assertFalse(leadership.offer(turn), "to nobody");
        assertTrue(leadership.isLed(turn));
        assertTrue(leadership.beginSleep(POOL));
        assertTrue(leadership.offer(turn));
        assertFalse(leadership.isLed(turn));
        assertVacant();
        leadership.endSleep(POOL);
        lead();
    }

    @Test
    void anOfferThatNobodyTakesIsTakenBack() {
        assertFalse(leadership.beginSleep(POOL));
        assertEquals(0, leadership.tryLead(DISPATCHER));
        leadership.endSleep(POOL); // It has found something else to do.
        assertFalse(leadership.beginSleep(DISPATCHER));
        leadership.sleep(DISPATCHER); // As the watcher.
        leadership.endSleep(DISPATCHER);
        assertNotEquals(0, leadership.tryLead(DISPATCHER));
    }

    @Test
    void theLeaderRunsShortHandlersItself() {
        long turn = lead();
        assertFalse(leadership.handOver(turn));
        leadership.beginHandlers(turn, 1);
        assertFalse(leadership.selecting());
        assertFalse(leadership.vacant());
        assertTrue(leadership.isLed(turn));
        assertTrue(leadership.endHandlers(turn));
        assertTrue(leadership.selecting());
    }

    @Test
    void beforeLongHandlersItGivesTheLeadUp() {
        long turn = lead();
        leadership.learn(System.nanoTime() - 1_000_000_000, 1);
        assertTrue(leadership.handOver(turn));
        assertVacant();
        lead();
    }

    @Test
    void aHandlerThatThrowsEndsTheLead() {
        long turn = lead();
        leadership.beginHandlers(turn, 1);
        leadership.giveUp(turn);
        assertVacant();
        assertFalse(leadership.endHandlers(turn));
    }

    @Test
    void theWatcherTakesTheLeadFromAHandlerThatTakesTooLong() {
        long turn = lead();
        leadership.beginHandlers(turn, 1);
        leadership.beginSleep(POOL);
        leadership.sleep(POOL);
        leadership.endSleep(POOL);
        assertVacant();
        assertFalse(leadership.isLed(turn));
        long next = lead();
        assertFalse(leadership.endHandlers(turn), "the handler has come back: another thread leads");
        assertTrue(leadership.isLed(next));
        assertTrue(leadership.handOver(next), "such handlers have proved long");
    }

    @Test
    void aSingleThreadKeepsTheLeadWhateverItsHandlersTake() {
        leadership = new Leadership(true);
        long turn = lead();
        leadership.learn(System.nanoTime() - 1_000_000_000, 1);
        assertFalse(leadership.handOver(turn));
        leadership.beginHandlers(turn, 1);
        assertTrue(leadership.endHandlers(turn));
    }

    /** Whoever comes first: a handler begins and finds no watcher, or a watcher finds that all is quiet. */
    @Test
    void aHandlerThatBeginsWhileAllSleepIsWatched() throws InterruptedException {
        long turn = lead();
        Thread follower = new Thread(() -> {
            leadership.beginSleep(POOL);
            while (!leadership.vacant()) {
                leadership.sleep(POOL);
            }
            leadership.endSleep(POOL);
        });
        follower.start();
        while (follower.getState() != Thread.State.WAITING) {
            Thread.sleep(1); // It watches for a while, then sleeps as others do.
        }
        leadership.beginHandlers(turn, 1);
        follower.join();
        assertFalse(leadership.isLed(turn));
    }
}
