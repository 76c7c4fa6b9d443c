package org.exsockets.compat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random programs do over EXS what they do over TCP: {@code exs.test.fuzz.seeds} of them from seed 1 on, the same in every
 * build, and then others for {@code exs.test.fuzz.seconds}, from seed {@code exs.test.fuzz.first} on, which is the time if
 * it is not given.
 */
@Tag("fuzz")
class FuzzIT {
    private static final int SEEDS = Integer.getInteger("exs.test.fuzz.seeds", 40);
    private static final long FRESH_NS = Long.getLong("exs.test.fuzz.seconds", 0) * 1_000_000_000L;
    private static final long FIRST_FRESH = Long.getLong("exs.test.fuzz.first", System.currentTimeMillis());

    @Test
    void randomProgramsDoOverExsWhatTheyDoOverTcp() throws Exception {
        Path stored = Path.of(System.getProperty("compat.fuzz.programs"));
        try (Campaign campaign = new Campaign(Campaign.tcp(), Campaign.exs(), stored, System.out)) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                campaign.run(Generator.program(seed), "seed " + seed);
            }
            long seed = FIRST_FRESH;
            long beginNs = System.nanoTime();
            System.out.println("fuzz: -Dexs.test.fuzz.first=" + seed);
            while (System.nanoTime() - beginNs < FRESH_NS) {
                campaign.run(Generator.program(seed), "seed " + seed);
                seed++;
            }
            System.out.println("fuzz: seeds 1 to " + SEEDS + ", " + FIRST_FRESH + " to " + (seed - 1));
            assertEquals("", campaign.end());
        }
    }
}
