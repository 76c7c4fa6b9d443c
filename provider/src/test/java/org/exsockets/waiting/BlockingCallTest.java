package org.exsockets.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockingCallTest {
    /** What the waits end with, one after the other. */
    private final ArrayDeque<Integer> waits = new ArrayDeque<>();

    /** What the attempts were told. */
    private final List<Integer> told = new ArrayList<>();

    private final BlockingCall call = new BlockingCall() {
        @Override
        protected int await() {
            deadline.ended(); // As a wait does: it takes an interrupt that does not end the call.
            return waits.remove();
        }
    };

    private int run(Wait wait, int... results) throws IOException {
        call.deadline.start(wait);
        return call.run(ended -> {
            told.add(ended);
            return results[told.size() - 1];
        });
    }

    @Test
    void attemptsAfterEachWaitUntilThereIsAResult() throws IOException {
        waits.addAll(List.of(0, 0, 0));
        assertEquals(7, run(Wait.UNINTERRUPTIBLE, Outcome.WOULD_BLOCK, Outcome.WOULD_BLOCK, 7));
        assertEquals(List.of(0, 0, 0), told);
        assertTrue(waits.isEmpty());
    }

    @Test
    void zeroIsAResult() throws IOException {
        waits.add(0);
        assertEquals(0, run(Wait.UNINTERRUPTIBLE, 0));
    }

    @Test
    void whatEndsTheWaitEndsTheCall() throws IOException {
        waits.addAll(List.of(0, Outcome.TIMED_OUT));
        assertEquals(Outcome.TIMED_OUT, run(Wait.UNINTERRUPTIBLE, Outcome.WOULD_BLOCK, Outcome.WOULD_BLOCK));
        assertEquals(List.of(0, Outcome.TIMED_OUT), told);
    }

    @Test
    void aResultOfTheLastAttemptCounts() throws IOException {
        waits.add(Outcome.INTERRUPTED);
        assertEquals(3, run(Wait.INTERRUPTIBLE, 3));
    }

    @Test
    void anInterruptThatDoesNotEndTheCallIsRestored() throws IOException {
        waits.addAll(List.of(0, 0));
        Thread.currentThread().interrupt();
        assertEquals(1, run(Wait.UNINTERRUPTIBLE, Outcome.WOULD_BLOCK, 1));
        assertTrue(Thread.interrupted());
    }

    @Test
    void anInterruptIsRestoredWhenAnAttemptFails() {
        waits.add(0);
        Thread.currentThread().interrupt();
        call.deadline.start(Wait.UNINTERRUPTIBLE);
        assertThrows(
                IOException.class,
                () -> call.run(ended -> {
                    assertFalse(Thread.currentThread().isInterrupted());
                    throw new IOException();
                }));
        assertTrue(Thread.interrupted());
    }
}
