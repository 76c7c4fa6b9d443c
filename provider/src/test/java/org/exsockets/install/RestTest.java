package org.exsockets.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** When a process is at rest, with a clock and CPU times that are made up. */
class RestTest {
    private static final long BUSY = Rest.MOST_TICKS + 1;

    /** Computes as much in each sleep as the next of its words says, the last one again and again. */
    private static final class World implements Rest.World {
        private final long[] ticksPerSleep;
        private int sleeps;
        private long ticks = 1_000;
        private long sleptMs;

        World(long... ticksPerSleep) {
            this.ticksPerSleep = ticksPerSleep;
        }

        @Override
        public long cpuTicks() {
            return ticks;
        }

        @Override
        public void sleep(long ms) {
            ticks += ticksPerSleep[Math.min(sleeps++, ticksPerSleep.length - 1)];
            sleptMs += ms;
        }
    }

    @Test
    void anEighthOfACoreIsRest() throws Exception {
        World world = new World(Rest.MOST_TICKS);
        assertTrue(new Rest(world).await());
        assertEquals(1, world.sleeps);
        assertTrue(8 * 10 * Rest.MOST_TICKS <= Rest.LOOK_MS, "ticks of 10 ms");
    }

    @Test
    void moreThanThatIsNotAndIsWaitedFor() throws Exception {
        World world = new World(BUSY, 50, BUSY, 0, 50);
        assertTrue(new Rest(world).await());
        assertEquals(4, world.sleeps);
    }

    @Test
    void whatIsComputedBetweenTwoCallsDoesNotCount() throws Exception {
        World world = new World(0);
        Rest rest = new Rest(world);
        assertTrue(rest.await());
        world.ticks += 1_000;
        assertTrue(rest.await());
        assertEquals(2, world.sleeps);
    }

    @Test
    void onceBegunItGoesOnOnlyAtRest() throws Exception {
        World world = new World(0, BUSY, BUSY, 0);
        Rest rest = new Rest(world);
        assertTrue(rest.await());
        assertTrue(rest.await());
        assertEquals(4, world.sleeps);
    }

    @Test
    void itGivesUpAfterAMinuteAndStaysSo() throws Exception {
        World world = new World(BUSY);
        Rest rest = new Rest(world);
        assertFalse(rest.await());
        assertEquals(60_000, world.sleptMs);
        assertFalse(rest.await());
        assertEquals(60_000, world.sleptMs);
    }

    @Test
    void theMinuteIsForAllCalls() throws Exception {
        World world = new World(0);
        Rest rest = new Rest(world);
        for (int i = 0; i < Rest.LOOKS; i++) {
            assertTrue(rest.await());
        }
        assertFalse(rest.await());
    }

    @Test
    void withoutACpuTimeThereIsNoRest() {
        Rest rest = new Rest(new Rest.World() {
            @Override
            public long cpuTicks() throws IOException {
                throw new IOException("no /proc");
            }

            @Override
            public void sleep(long ms) {}
        });
        assertThrows(IOException.class, rest::await);
    }

    @Test
    void userAndSystemTimeStandBehindTheName() throws Exception {
        assertEquals(
                71 + 8,
                Rest.ticks("4711 (a) b (c) S 1 4711 4711 0 -1 4194560 9002 0 12 0 71 8 3 4 20 0 17 0 3525 4567 10\n"));
        assertTrue(Rest.ticks(Files.readString(Path.of("/proc/self/stat"))) > 0);
    }
}
