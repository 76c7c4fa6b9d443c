package org.exsockets.verbs.disni.data;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.jdk.ShortSleeps;
import org.exsockets.observe.Log;
import org.exsockets.verbs.disni.VerbsException;

/**
 * Takes a queue pair from the peer, and its memory from the adapter. Any thread, before the endpoint's release.
 *
 * <p>The error state alone is not enough: the call that asks for it may return while the adapter is still placing what
 * has come before (soft-RoCE only tells its own task of the new state). But an adapter handles the arrivals at one
 * queue pair, and the flushing of its receives, in order. So once every posted receive has come back flushed, nothing
 * that arrives is placed any more; and once every request has come back, no payload is read any more. The kernel drains
 * queue pairs in this way, too. One receive is posted for this before, in case none is left, and none afterwards:
 * soft-RoCE flushes only what it finds when the state changes.
 */
final class Severance {
    /** Flushing is the adapter's own work; it depends on no peer and no network. */
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long LOOK_NS = 20_000;

    private final Target target;

    /** One thread severs; others wait until it is done. */
    private final ReentrantLock severing = new ReentrantLock();

    private volatile boolean done;

    /** The queue pair, as far as it is needed here. */
    interface Target {
        /** Posts the last receive, kept for this purpose; nothing is posted from then on. */
        void close();

        /** @throws VerbsException if the queue pair does not exist any more */
        void setError() throws VerbsException;

        /** Polls. {@return whether every receive and every payload has come back} */
        boolean isDrained();

        void broken();
    }

    Severance(Target target) {
        this.target = target;
    }

    boolean isDone() {
        return done;
    }

    void sever() {
        severing.lock();
        try {
            if (done) {
                return;
            }
            target.close();
            try {
                target.setError();
                ShortSleeps flush = new ShortSleeps(LOOK_NS) {
                    @Override
                    protected boolean isOver() {
                        return target.isDrained();
                    }
                };
                if (!flush.await(LIMIT_NS)) {
                    Log.error("the RDMA device does not flush a queue pair, the peer may still write: " + target);
                }
            } catch (VerbsException e) {
                // The kernel has taken the queue pair from the device, and has not reported it yet.
                Log.debug("set the error state: " + e.getMessage() + ", " + target);
            }
            done = true;
        } finally {
            severing.unlock();
        }
        target.broken();
    }
}
