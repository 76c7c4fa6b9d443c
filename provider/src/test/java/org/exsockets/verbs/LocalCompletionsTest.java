package org.exsockets.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Random;
import org.exsockets.verbs.WorkCompletion.Status;
import org.junit.jupiter.api.Test;

class LocalCompletionsTest {
    @Test
    void completionsComeInOrderHoweverManyThereAre() {
        LocalCompletions completions = new LocalCompletions();
        ArrayDeque<Long> expected = new ArrayDeque<>();
        WorkCompletion completion = new WorkCompletion();
        Random random = new Random(1);
        assertTrue(completions.isEmpty());
        assertFalse(completions.poll(completion));
        for (long id = 0; id < 10_000; id++) {
            completions.add(id, id % 2 == 0 ? Status.SUCCESS : Status.WR_FLUSH_ERR, Opcode.RDMA_WRITE);
            expected.add(id);
            // At times nearly all are taken, at times nearly none.
            for (int i = random.nextInt(id / 1000 % 2 == 0 ? 2 : 4); i > 0 && !expected.isEmpty(); i--) {
                assertFalse(completions.isEmpty());
                assertTrue(completions.poll(completion));
                assertEquals(expected.remove(), completion.wrId);
                assertEquals(completion.wrId % 2 == 0 ? Status.SUCCESS : Status.WR_FLUSH_ERR, completion.status);
                assertEquals(Opcode.RDMA_WRITE, completion.opcode);
            }
        }
        while (!expected.isEmpty()) {
            assertTrue(completions.poll(completion));
            assertEquals(expected.remove(), completion.wrId);
        }
        assertTrue(completions.isEmpty());
    }
}
