package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CreditLooksTest {
    private long nowNs = 1_000_000;
    private int clockLooks;
    private final CreditLooks looks = new CreditLooks(() -> {
        clockLooks++;
        return nowNs;
    });

    @Test
    void withManyCreditsThereIsNoLookNotEvenAtTheClock() {
        for (int i = 0; i < 10; i++) {
            nowNs += CreditLooks.MOST_NS;
            assertFalse(looks.tryLook(false));
        }
        assertEquals(0, clockLooks);
    }

    @Test
    void theFirstWriteWithFewDoesNotKnowWhenTheLastOneWas() {
        assertFalse(looks.tryLook(true));
        nowNs += CreditLooks.PAUSE_NS;
        assertTrue(looks.tryLook(true));
        assertFalse(looks.tryLook(false));
        nowNs += CreditLooks.PAUSE_NS;
        assertFalse(looks.tryLook(true));
    }

    @Test
    void whoPausesLooksWithEveryWrite() {
        looks.tryLook(true);
        for (int i = 0; i < 10; i++) {
            nowNs += CreditLooks.PAUSE_NS;
            assertTrue(looks.tryLook(true));
        }
    }

    @Test
    void whoDoesNotPauseLooksOnceInAWhile() {
        looks.tryLook(true);
        int found = 0;
        for (long passedNs = 0; passedNs < 3 * CreditLooks.MOST_NS; passedNs += CreditLooks.PAUSE_NS / 2) {
            nowNs += CreditLooks.PAUSE_NS / 2;
            found += looks.tryLook(true) ? 1 : 0;
        }
        assertEquals(3, found);
    }
}
