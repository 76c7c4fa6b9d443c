package org.exsockets.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrowthPolicyTest {
    private static final int KB = 1024;
    private static final int LIMIT = 4096 * KB;

    @Test
    void aWriterThatWaitsAgainWhileAWholeBufferIsReadIsDemand() {
        GrowthPolicy policy = new GrowthPolicy(LIMIT);
        assertEquals(0, policy.onWait(64 * KB, 64 * KB));
        assertEquals(256 * KB, policy.onWait(64 * KB, 64 * KB));
    }

    @Test
    void aProgramThatDoesNotReadIsNoDemand() {
        GrowthPolicy policy = new GrowthPolicy(LIMIT);
        for (int i = 0; i < 1000; i++) {
            assertEquals(0, policy.onWait(64 * KB, 64 * KB - 1));
        }
        assertEquals(256 * KB, policy.onWait(64 * KB, 64 * KB));
    }

    @Test
    void everyLengthMustProveTooShortItself() {
        GrowthPolicy policy = new GrowthPolicy(LIMIT);
        policy.onWait(64 * KB, 64 * KB);
        policy.onWait(64 * KB, 64 * KB);
        policy.onGrown();
        assertEquals(0, policy.onWait(256 * KB, 256 * KB));
        assertEquals(1024 * KB, policy.onWait(256 * KB, 256 * KB));
    }

    @ParameterizedTest
    @CsvSource({"1024, 4096", "2048, 4096", "4096, 0", "8192, 0"})
    void theLimitIsReachedAndNotPassed(int lengthKb, int nextKb) {
        GrowthPolicy policy = new GrowthPolicy(LIMIT);
        policy.onWait(lengthKb * KB, lengthKb * KB);
        assertEquals(nextKb * KB, policy.onWait(lengthKb * KB, lengthKb * KB));
    }

    @Test
    void whatTheProgramHasChosenIsNotPassed() {
        GrowthPolicy policy = new GrowthPolicy(LIMIT);
        policy.limit(1000 * KB);
        policy.onWait(256 * KB, 256 * KB);
        assertEquals(512 * KB, policy.onWait(256 * KB, 256 * KB));
        policy.limit(64 * KB);
        assertEquals(0, policy.onWait(256 * KB, 256 * KB));
    }

    @Test
    void theProgramCannotHaveMoreThanThereWouldBeWithoutItsChoice() {
        GrowthPolicy policy = new GrowthPolicy(LIMIT);
        policy.limit(Integer.MAX_VALUE);
        policy.onWait(4096 * KB, 4096 * KB);
        assertEquals(0, policy.onWait(4096 * KB, 4096 * KB));
    }

    @Test
    void theLargestBufferThereIsDoesNotOverflow() {
        GrowthPolicy policy = new GrowthPolicy(64 * KB * KB);
        policy.onWait(32 * KB * KB, 32 * KB * KB);
        assertEquals(64 * KB * KB, policy.onWait(32 * KB * KB, 32 * KB * KB));
    }

    @Test
    void whereThereWasNoMemoryNothingIsTriedForALongTime() {
        GrowthPolicy policy = new GrowthPolicy(LIMIT);
        policy.onWait(64 * KB, 64 * KB);
        policy.onWait(64 * KB, 64 * KB);
        policy.onRefused(64 * KB, 64 * KB);
        long again = 64L * KB + 256 * 64 * KB;
        assertEquals(0, policy.onWait(64 * KB, again - 1));
        assertEquals(256 * KB, policy.onWait(64 * KB, again));
    }
}
