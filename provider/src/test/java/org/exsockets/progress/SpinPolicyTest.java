package org.exsockets.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.exsockets.config.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpinPolicyTest {
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private final SpinPolicy policy = new SpinPolicy();
    private final long nowNs = System.nanoTime();

    @AfterEach
    void restore() {
        SpinPolicy.configure(Settings.defaults());
    }

    private static void configure(String spin) {
        SpinPolicy.configure(Settings.read(Map.of("spin", spin), name -> null, Set.of(), Map.of()));
    }

    @Test
    void zeroNeverSpins() {
        configure("0");
        for (int i = 0; i < 10; i++) {
            assertEquals(0, policy.begin(nowNs));
        }
    }

    @Test
    void aFixedTimeIsKeptWhateverItPays() {
        configure("20");
        for (int i = 0; i < 100; i++) {
            assertEquals(20_000, policy.begin(nowNs));
            policy.end(false);
        }
    }

    @Test
    void noMoreThreadsSpinThanCanBeSpared() {
        configure("20");
        int limit = Math.max(1, CORES - 1);
        List<SpinPolicy> spinning = new ArrayList<>();
        for (int i = 0; i < limit; i++) {
            SpinPolicy each = new SpinPolicy();
            assertTrue(each.begin(nowNs) > 0);
            spinning.add(each);
        }
        assertEquals(0, policy.begin(nowNs));
        spinning.get(0).end(false);
        assertTrue(policy.begin(nowNs) > 0);
        policy.end(true);
        spinning.subList(1, limit).forEach(each -> each.end(true));
    }
}
