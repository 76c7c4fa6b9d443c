package org.exsockets.verbs.disni.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.exsockets.verbs.disni.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which a queue pair is taken from its peer, without an adapter. */
class SeveranceTest {
    /** Writes down what is asked of it; drained after so many looks. */
    private static class ScriptedTarget implements Severance.Target {
        private final List<String> calls = new ArrayList<>();
        private final int looksUntilDrained;
        private int looks;

        private ScriptedTarget(int looksUntilDrained) {
            this.looksUntilDrained = looksUntilDrained;
        }

        @Override
        public void close() {
            calls.add("close");
        }

        @Override
        public void setError() throws VerbsException {
            calls.add("error");
        }

        @Override
        public boolean isDrained() {
            looks++;
            if (looks < looksUntilDrained) {
                return false;
            }
            calls.add("drained");
            return true;
        }

        @Override
        public void broken() {
            calls.add("broken");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 50})
    void isOverOnlyWhenTheAdapterHasGivenEverythingBack(int looks) {
        ScriptedTarget target = new ScriptedTarget(looks);
        Severance severance = new Severance(target);
        assertFalse(severance.isDone());
        severance.sever();
        assertEquals(List.of("close", "error", "drained", "broken"), target.calls);
        assertEquals(looks, target.looks);
        assertTrue(severance.isDone());
        severance.sever();
        assertEquals(4, target.calls.size(), "only once");
    }

    @Test
    void aQueuePairThatIsGoneIsNotWaitedFor() {
        ScriptedTarget target = new ScriptedTarget(Integer.MAX_VALUE) {
            @Override
            public void setError() throws VerbsException {
                throw new VerbsException("ibv_modify_qp", VerbsException.EINVAL, "Invalid argument");
            }
        };
        Severance severance = new Severance(target);
        severance.sever();
        assertTrue(severance.isDone());
        assertEquals(0, target.looks);
        assertEquals(List.of("close", "broken"), target.calls);
    }

    @Test
    void whoComesSecondWaitsForWhoCameFirst() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch drained = new CountDownLatch(1);
        Severance severance = new Severance(new ScriptedTarget(1) {
            @Override
            public boolean isDrained() {
                looking.countDown();
                return drained.getCount() == 0 && super.isDrained();
            }
        });
        Thread first = new Thread(severance::sever);
        first.start();
        looking.await();
        FutureTask<Boolean> doneBehind = new FutureTask<>(() -> {
            severance.sever();
            return severance.isDone();
        });
        Thread second = new Thread(doneBehind);
        second.start();
        while (second.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        Future<Boolean> waiting = doneBehind;
        assertFalse(waiting.isDone());
        assertFalse(severance.isDone());
        drained.countDown();
        assertTrue(waiting.get());
        first.join();
    }
}
