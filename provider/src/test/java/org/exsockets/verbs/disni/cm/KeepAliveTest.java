package org.exsockets.verbs.disni.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On a clock of its own, in seconds, which begins shortly before it overflows. */
class KeepAliveTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final List<String> probed = new ArrayList<>();
    private long nowNs = Long.MAX_VALUE - 5 * SECOND_NS;
    private final KeepAlive<String> keepAlive = new KeepAlive<>(probed::add, () -> nowNs);

    private List<String> after(int seconds) {
        probed.clear();
        for (int i = 0; i < seconds; i++) {
            nowNs += SECOND_NS;
            keepAlive.probeThoseDue();
        }
        return List.copyOf(probed);
    }

    @Test
    void withoutAnyTheThreadSleepsForEver() {
        assertEquals(-1, keepAlive.patienceMs());
        keepAlive.set("a", 3);
        assertEquals(3_001, keepAlive.patienceMs());
        keepAlive.set("a", -1);
        assertEquals(-1, keepAlive.patienceMs());
    }

    @Test
    void eachIsProbedAgainAndAgainAfterItsTime() {
        keepAlive.set("a", 10);
        keepAlive.set("b", 4);
        assertEquals(List.of("b", "b", "a"), after(10));
        assertEquals(2_001, keepAlive.patienceMs());
        assertEquals(List.of("b", "b", "a", "b"), after(10).stream().toList());
    }

    @Test
    void aNewTimeReplacesTheOld() {
        keepAlive.set("a", 2);
        keepAlive.set("a", 6);
        assertEquals(List.of(), after(5));
        assertEquals(List.of("a"), after(1));
        keepAlive.remove("a");
        assertEquals(List.of(), after(20));
    }

    @Test
    void withoutATimeOfItsOwnItIsTheSystems() {
        keepAlive.set("a", 0);
        int ms = keepAlive.patienceMs();
        assertTrue(ms > 1_000, "ms=" + ms);
    }

    @Test
    void aThreadThatComesLateProbesOnce() {
        keepAlive.set("a", 1);
        nowNs += 100 * SECOND_NS;
        keepAlive.probeThoseDue();
        assertEquals(List.of("a"), probed);
    }
}
