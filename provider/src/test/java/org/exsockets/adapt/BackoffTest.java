package org.exsockets.adapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final int MOST = 8;

    private final Backoff backoff = new Backoff(MOST);

    /** {@return how many attempts are left out before the next one that is made} */
    private int skipped() {
        int count = 0;
        while (backoff.skip()) {
            count++;
        }
        return count;
    }

    @Test
    void failuresInARowLeaveOutTwiceAsManyEachTimeUpToTheBound() {
        assertEquals(0, skipped());
        for (int expected : new int[] {1, 2, 4, MOST, MOST, MOST}) {
            backoff.onFailure();
            assertEquals(expected, skipped());
        }
    }

    @Test
    void oneThatPaysBeginsAnew() {
        backoff.onFailure();
        backoff.onFailure();
        assertEquals(2, skipped());
        backoff.onSuccess();
        assertFalse(backoff.skip());
        backoff.onFailure();
        assertEquals(1, skipped());
    }

    @Test
    void aDearFailureLeavesOutMore() {
        backoff.onFailure(3);
        assertEquals(3, skipped());
        backoff.onFailure(3);
        assertEquals(6, skipped());
        backoff.onFailure(100);
        assertEquals(MOST, skipped());
    }

    @Test
    void newsEndsTheRest() {
        backoff.onFailure(5);
        assertEquals(true, backoff.skip());
        backoff.reset();
        assertFalse(backoff.skip());
        backoff.onFailure();
        assertEquals(1, skipped());
    }
}
