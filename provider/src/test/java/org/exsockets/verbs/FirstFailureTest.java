package org.exsockets.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.exsockets.verbs.WorkCompletion.Status;
import org.junit.jupiter.api.Test;

class FirstFailureTest {
    private final FirstFailure failure = new FirstFailure();
    private final WorkCompletion completion = new WorkCompletion();

    @Test
    void thereIsNoneAtFirst() {
        assertFalse(failure.isToTell());
        assertFalse(failure.poll(completion));
    }

    @Test
    void theFirstOneIsToldOnceAndNoOther() {
        failure.set(Status.REM_ACCESS_ERR, " of a write");
        failure.set(Status.RETRY_EXC_ERR, "");
        assertTrue(failure.isToTell());
        assertTrue(failure.poll(completion));
        assertEquals(Status.REM_ACCESS_ERR, completion.status);
        assertEquals(" of a write", completion.detail);
        failure.set(Status.LOC_LEN_ERR, "");
        assertFalse(failure.isToTell());
        assertFalse(failure.poll(completion));
    }
}
