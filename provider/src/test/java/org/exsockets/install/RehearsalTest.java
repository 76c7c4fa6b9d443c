package org.exsockets.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.exsockets.observe.Statistics;
import org.junit.jupiter.api.Test;

/** The program's own connections are not disturbed by what the process exchanges with itself. */
class RehearsalTest {
    private static final int REPEATS = 6;
    private static final long NEVER = Long.MAX_VALUE;

    /** Says how often it was looked at; then the process computes. */
    private static final class World implements Rest.World {
        private final int restful;
        private final Runnable onSleep;
        private int sleeps;

        World(int restful, Runnable onSleep) {
            this.restful = restful;
            this.onSleep = onSleep;
        }

        @Override
        public long cpuTicks() {
            return sleeps <= restful ? 0 : sleeps * (Rest.MOST_TICKS + 1);
        }

        @Override
        public void sleep(long ms) {
            sleeps++;
            onSleep.run();
        }
    }

    private static Rest atRest() {
        return new Rest(new World(Integer.MAX_VALUE, () -> {}));
    }

    @Test
    void itCountsNowhereAndLeavesNothing() throws Exception {
        Rehearsal rehearsal = new Rehearsal(NEVER, NEVER);
        rehearsal.rehearse(atRest()); // What every later connection uses, too, is made.
        String counted = Statistics.jvm().toJson();
        long descriptors = descriptors();
        for (int i = 0; i < REPEATS; i++) {
            assertEquals(Rehearsal.BURSTS * Rehearsal.ROUNDS, rehearsal.rehearse(atRest()));
        }
        assertEquals(counted, Statistics.jvm().toJson());
        // Some are closed in the background.
        assertTrue(descriptors() < descriptors + REPEATS, descriptors + " before, now " + descriptors());
        assertEquals(
                0,
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("exs-rehearsal"))
                        .count());
    }

    @Test
    void itLooksBeforeEachBurst() throws Exception {
        World world = new World(Integer.MAX_VALUE, () -> {});
        new Rehearsal(NEVER, NEVER).rehearse(new Rest(world));
        assertEquals(Rehearsal.BURSTS, world.sleeps);
    }

    @Test
    void aProgramThatComputesIsLeftAlone() throws Exception {
        World world = new World(0, () -> {});
        assertEquals(0, new Rehearsal(NEVER, NEVER).rehearse(new Rest(world)));
        assertEquals(Rest.LOOKS, world.sleeps);
    }

    @Test
    void aProgramThatBeginsToComputeIsLeftAloneFromThenOn() throws Exception {
        assertEquals(Rehearsal.ROUNDS, new Rehearsal(NEVER, NEVER).rehearse(new Rest(new World(1, () -> {}))));
    }

    @Test
    void aProgramWithManyConnectionsNeedsNone() throws Exception {
        assertEquals(0, new Rehearsal(0, NEVER).rehearse(atRest()));
    }

    @Test
    void aProgramThatHasExchangedMuchNeedsNone() throws Exception {
        assertEquals(0, new Rehearsal(NEVER, 0).rehearse(atRest()));
    }

    @Test
    void itEndsWithTheJvm() throws Exception {
        Rehearsal rehearsal = new Rehearsal(NEVER, NEVER);
        assertEquals(Rehearsal.ROUNDS, rehearsal.rehearse(new Rest(new World(Integer.MAX_VALUE, new Runnable() {
            private int sleeps;

            @Override
            public void run() {
                if (++sleeps == 2) {
                    rehearsal.end();
                }
            }
        }))));
        assertEquals(0, rehearsal.rehearse(atRest()));
    }

    private static long descriptors() throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
