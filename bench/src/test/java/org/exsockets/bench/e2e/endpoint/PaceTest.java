package org.exsockets.bench.e2e.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long MS = 1_000_000;

    @Test
    void withoutAGapTheNextRequestIsDueAtOnce() {
        Pace pace = new Pace(0, 1);
        assertEquals(7, pace.start(7, 3, 4));
        assertEquals(9, pace.next(9));
    }

    @Test
    void requestsAreAGapApartAndThreadsAPartOfIt() {
        long startNs = System.nanoTime();
        Pace pace = new Pace(4 * MS, 1);
        assertTrue(pace.start(startNs, 1, 4) - startNs >= MS);
        assertTrue(pace.next(System.nanoTime()) - startNs >= 5 * MS);
        assertTrue(pace.next(System.nanoTime()) - startNs >= 9 * MS);
    }

    @Test
    void whoIsLateAsksAtOnceAndDoesNotCatchUp() {
        long startNs = System.nanoTime() - 100 * MS;
        Pace pace = new Pace(4 * MS, 1);
        pace.start(startNs, 0, 1);
        long lateNs = startNs + 50 * MS;
        assertEquals(lateNs, pace.next(lateNs));
        assertTrue(pace.next(lateNs) - lateNs >= 4 * MS);
    }

    @Test
    void aBurstIsNotInterrupted() {
        long nowNs = System.nanoTime();
        Pace pace = new Pace(5 * MS, 3);
        pace.start(nowNs, 0, 1);
        assertEquals(nowNs, pace.next(nowNs));
        assertEquals(nowNs, pace.next(nowNs));
        assertTrue(pace.next(nowNs) - nowNs >= 5 * MS);
    }
}
