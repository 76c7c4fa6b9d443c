package org.exsockets.connection.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Receives of a MiB that are filled at a given pace. */
class DirectRateTest {
    private static final int MIB = 1 << 20;

    private long nowNs = 1;
    private final DirectRate rate = new DirectRate(() -> nowNs);

    /** Each is posted again as soon as it has been filled. */
    private void fill(int receives, long eachNs) {
        for (int i = 0; i < receives; i++) {
            nowNs += eachNs;
            rate.onTaken(MIB, MIB);
            rate.onPosted(MIB);
        }
    }

    private void post(int receives) {
        for (int i = 0; i < receives; i++) {
            rate.onPosted(MIB);
        }
    }

    @Test
    void theFirstOfSeveralDoesNotCount() {
        post(8);
        assertEquals(0, rate.quietNs(), "nothing is known");
        fill(20, 102_400);
        assertEquals(7 * 102_400, rate.quietNs());
    }

    @Test
    void oneAloneIsWaitedForAwake() {
        post(1);
        fill(20, 204_800);
        assertEquals(0, rate.quietNs());
    }

    @Test
    void aSlowStreamIsWaitedForAwake() {
        post(8);
        fill(20, 1_000_000);
        assertEquals(0, rate.quietNs());
    }

    @Test
    void whatComesAnotherWayTellsNothing() {
        post(8);
        fill(20, 102_400);
        rate.onTaken(MIB, 1024);
        assertEquals(0, rate.quietNs());
    }
}
