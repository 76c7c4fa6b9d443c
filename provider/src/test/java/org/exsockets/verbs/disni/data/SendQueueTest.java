package org.exsockets.verbs.disni.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.exsockets.verbs.disni.Verbs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SendQueueTest {
    @ParameterizedTest
    @CsvSource({"0, 0, false", "0, 96, false", "1, 0, false", "1, 96, true", "96, 96, true", "97, 96, false"})
    void whatFitsGoesInlineUnlessThereIsNothing(int length, int limit, boolean inline) {
        assertEquals(inline ? Verbs.FLAG_INLINE : 0, SendQueue.flags(false, false, length, limit));
        assertEquals(
                Verbs.FLAG_SIGNALED | Verbs.FLAG_SOLICITED | (inline ? Verbs.FLAG_INLINE : 0),
                SendQueue.flags(true, true, length, limit));
    }
}
