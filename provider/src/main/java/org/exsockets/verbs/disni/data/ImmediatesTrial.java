package org.exsockets.verbs.disni.data;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import java.io.IOException;
import org.exsockets.observe.Log;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;

/**
 * Finds out whether an adapter takes RDMA_WRITE_WITH_IMM. iWARP adapters need not, and no attribute tells. One is posted,
 * on a queue pair that is never connected. Drivers that mind a queue pair's state accept the request in the error state,
 * in which it is flushed; those that do not know the request refuse it in both. Any thread.
 */
public final class ImmediatesTrial {
    private ImmediatesTrial() {}

    /**
     * {@return whether the adapter takes them}
     *
     * @param id without a queue pair; it has none afterwards
     * @throws IOException if the trial cannot be made
     */
    public static boolean succeeds(Adapter adapter, long id) throws IOException {
        NatCmaIdPrivate owner = adapter.objects.id(id);
        IbvCQ completions = adapter.createCompletionQueue(2);
        long cq = adapter.objects.handle(completions, Verbs.KIND_CQ);
        try {
            long qp = adapter.createQueuePair(owner, completions, 1, 1, 0);
            try {
                return takes(qp);
            } finally {
                adapter.objects.forget(qp);
                owner.destroyQP();
            }
        } finally {
            adapter.objects.forget(cq);
            completions.destroyCQ();
        }
    }

    private static boolean takes(long qp) {
        try {
            if (post(qp) == 0) {
                return true;
            }
            Verbs.setError(qp);
            return post(qp) == 0;
        } catch (VerbsException e) {
            Log.debug("trial of a write with immediate: " + e.getMessage());
            return false;
        }
    }

    private static int post(long qp) throws VerbsException {
        return Verbs.postSend(qp, Verbs.OPCODE_RDMA_WRITE_WITH_IMM, Verbs.FLAG_SIGNALED, 0, 0, 0, 0, 0, 0, 0);
    }
}
