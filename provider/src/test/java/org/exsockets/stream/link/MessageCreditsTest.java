package org.exsockets.stream.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageCreditsTest {
    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 2})
    void fewerThanThreeReceivesAreRefused(int depth) {
        assertThrows(IllegalArgumentException.class, () -> new MessageCredits(depth));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 8, 2048})
    void theLastCreditIsForACreditMessage(int depth) {
        MessageCredits credits = new MessageCredits(depth);
        for (int i = 0; i < depth - 1; i++) {
            assertTrue(credits.available());
            assertTrue(credits.tryTake());
        }
        assertFalse(credits.available());
        assertFalse(credits.tryTake());
        assertTrue(credits.tryTakeLast());
        assertFalse(credits.tryTakeLast());
        credits.untake(0);
        assertFalse(credits.tryTake());
        assertTrue(credits.tryTakeLast());
    }

    @Test
    void thePeerHasNoMoreCreditsThanThereAreReceives() {
        MessageCredits credits = new MessageCredits(4);
        for (int i = 0; i < 4; i++) {
            assertTrue(credits.onReceivesPosted(1));
        }
        assertEquals(1, credits.takeOwed(1));
        assertTrue(credits.onReceivesPosted(1));
        assertFalse(credits.onReceivesPosted(1));
    }

    @ParameterizedTest
    @CsvSource({
        // depth, reposted receives that make a CREDIT due
        "3, 2",
        "4, 2",
        "5, 2",
        "6, 3",
        "8, 4",
        "256, 128",
        "2048, 1024"
    })
    void aCreditIsDueForHalfOfTheReceives(int depth, int threshold) {
        MessageCredits credits = new MessageCredits(depth);
        for (int i = 1; i <= threshold; i++) {
            assertFalse(credits.creditDue());
            credits.onReceivesPosted(1);
        }
        assertTrue(credits.creditDue());
        assertEquals(threshold, credits.takeOwed(Integer.MAX_VALUE));
        assertFalse(credits.creditDue());
        assertEquals(0, credits.takeOwed(Integer.MAX_VALUE));
    }

    @Test
    void aMessageTakesItsCreditAndWhatItReturnsAtOnce() {
        MessageCredits credits = new MessageCredits(4);
        credits.onReceivesPosted(3);
        assertEquals(2, credits.takeWithOwed(2));
        assertEquals(1, credits.takeWithOwed(2));
        assertEquals(0, credits.takeWithOwed(2));
        credits.onReceivesPosted(1);
        assertEquals(-1, credits.takeWithOwed(2), "the last credit is for a CREDIT");
        assertEquals(1, credits.takeOwed(2), "nothing was taken");
        assertTrue(credits.onReturned(3));
        assertFalse(credits.onReturned(65_535));
        assertEquals(0, credits.takeOwed(2), "what a peer returns is not owed");
    }

    @Test
    void aMessageThatWasNotSentPutsBackItsCreditAndWhatItWasToReturn() {
        MessageCredits credits = new MessageCredits(3);
        credits.onReceivesPosted(3);
        assertEquals(2, credits.takeWithOwed(2));
        credits.untake(2);
        assertEquals(3, credits.takeWithOwed(4), "as before");
        assertEquals(0, credits.takeWithOwed(4));
        assertEquals(-1, credits.takeWithOwed(4));
    }

    @Test
    void oneMessageReturnsNoMoreThanItHoldsAndTheRestLater() {
        MessageCredits credits = new MessageCredits(8);
        for (int i = 0; i < 7; i++) {
            credits.onReceivesPosted(1);
        }
        assertEquals(4, credits.takeOwed(4));
        assertEquals(3, credits.takeOwed(4));
        assertEquals(0, credits.takeOwed(4));
    }

    @ParameterizedTest
    @CsvSource({
        // taken before, returned, accepted
        "0, 0, true",
        "0, 1, false",
        "1, 1, true",
        "1, 2, false",
        "3, 3, true",
        "3, 65535, false"
    })
    void noMoreCreditsComeBackThanWereSpent(int taken, int returned, boolean accepted) {
        MessageCredits credits = new MessageCredits(4);
        for (int i = 0; i < taken; i++) {
            assertTrue(credits.tryTake());
        }
        assertEquals(accepted, credits.onReturned(returned));
    }
}
