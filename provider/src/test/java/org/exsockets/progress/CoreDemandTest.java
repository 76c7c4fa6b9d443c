package org.exsockets.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CoreDemandTest {
    private final CoreDemand twoCores = new CoreDemand(2);

    private static int runnable(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        return CoreDemand.runnable(bytes, bytes.length);
    }

    @Test
    void theNumberOfRunnableThreadsStandsBeforeTheSlash() {
        assertEquals(1, runnable("0.20 0.18 0.12 1/80 11206\n"));
        assertEquals(137, runnable("120.20 80.18 0.12 137/4080 11206\n"));
    }

    @Test
    void whatIsNoLoadAverageSaysNothing() {
        assertEquals(0, runnable(""));
        assertEquals(0, runnable("0.20 0.18"));
        assertEquals(0, runnable("0.20 0.18 0.12 17"));
        assertEquals(0, runnable("0.20 0.18 0.12 x/80 11206"));
        assertEquals(0, CoreDemand.runnable(new byte[8], -1));
    }

    @Test
    void listsOfCoresAreCounted() {
        assertEquals(1, CoreDemand.countCores("0"));
        assertEquals(2, CoreDemand.countCores("0-1"));
        assertEquals(7, CoreDemand.countCores("0-3,8,10-11"));
    }

    private boolean crowded(int runnable) {
        twoCores.judge(runnable);
        return twoCores.isCrowded(false);
    }

    private boolean crowdedByMoreThanOne(int runnable) {
        twoCores.judge(runnable);
        return twoCores.isCrowded(true);
    }

    @Test
    void oneMoreThreadThanCoresMayBeLetPass() {
        assertFalse(crowdedByMoreThanOne(3));
        assertFalse(crowdedByMoreThanOne(3));
        assertFalse(crowdedByMoreThanOne(4));
        assertFalse(crowdedByMoreThanOne(3));
        assertFalse(crowdedByMoreThanOne(4));
        assertTrue(crowdedByMoreThanOne(4));
        assertTrue(twoCores.isCrowded(false));
    }

    @Test
    void whatIsCrowdedStaysSoWhileOneOfTwoTooManySleeps() {
        crowdedByMoreThanOne(4);
        assertTrue(crowdedByMoreThanOne(4));
        for (int i = 0; i < 10; i++) {
            assertTrue(crowdedByMoreThanOne(3));
        }
        crowdedByMoreThanOne(2);
        crowdedByMoreThanOne(1);
        assertFalse(crowdedByMoreThanOne(2));
    }

    @Test
    void oneCrowdedSampleIsAnAccidentAndTwoAreNot() {
        assertFalse(crowded(3));
        assertFalse(crowded(2));
        assertFalse(crowded(3));
        assertTrue(crowded(3));
    }

    @Test
    void threeQuietSamplesInARowEndIt() {
        crowded(5);
        assertTrue(crowded(5));
        assertTrue(crowded(2));
        assertTrue(crowded(1));
        assertTrue(crowded(3));
        assertTrue(crowded(2));
        assertTrue(crowded(2));
        assertFalse(crowded(2));
        assertFalse(crowded(3), "begins anew");
    }
}
