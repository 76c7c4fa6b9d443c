package org.exsockets.verbs.disni.data;

import java.io.IOException;
import java.util.Objects;
import org.exsockets.observe.Log;
import org.exsockets.verbs.disni.VerbsException;

/**
 * What an adapter grants queue pairs beyond what it tells: drivers refuse some sizes, each in its own way. The first
 * queue pairs find out, later ones ask for that at once. Thread-safe.
 */
final class QueueLimits {
    /**
     * Asked for in turn, as Broadcom's driver takes up to 96 only, Marvell's up to 128; what has been granted may be
     * less than that again, and is asked for afterwards.
     */
    private static final int[] INLINE_BYTES = {256, 128, 96, 64, 0};

    /** With fewer messages under way a connection is not worth its cost. */
    static final int MIN_RECEIVE_DEPTH = 32;

    private volatile int inlineBytes = INLINE_BYTES[0];
    private volatile int receiveDepth;

    /** A queue pair in the making. */
    interface Queues {
        /** Makes what a queue pair with so many receives needs. */
        void prepare(int depth) throws IOException;

        /** Makes the queue pair, with {@code bytes} that may go inline. */
        void create(int bytes) throws IOException;

        /** Gives back what {@link #prepare} has made. */
        void giveBack();
    }

    /** @param receiveDepth receives of a queue pair that the adapter allows; a power of two */
    QueueLimits(int receiveDepth) {
        this.receiveDepth = receiveDepth;
    }

    /**
     * Makes queues with at most {@code wanted} receives; a power of two.
     *
     * @throws IOException if the adapter takes not even {@link #MIN_RECEIVE_DEPTH}, or has nothing left; the caller gives
     *     back what has been prepared
     */
    void make(Queues queues, int wanted) throws IOException {
        int depth = Math.min(wanted, receiveDepth);
        while (true) {
            try {
                queues.prepare(depth);
                create(queues);
                break;
            } catch (VerbsException e) {
                if (!VerbsException.isRefusal(e) || depth / 2 < MIN_RECEIVE_DEPTH) {
                    throw e;
                }
                Log.debug("the adapter refuses queues with " + depth + " receives: " + e.getMessage());
            }
            queues.giveBack();
            depth /= 2;
        }
        if (depth < wanted) {
            receiveDepth = depth;
        }
    }

    private void create(Queues queues) throws IOException {
        VerbsException refused = null;
        for (int bytes : INLINE_BYTES) {
            if (bytes <= inlineBytes) {
                try {
                    queues.create(bytes);
                    inlineBytes = bytes;
                    return;
                } catch (VerbsException e) {
                    // librdmacm before rdma-core 34 says ENOMEM whatever the driver has said.
                    if (!VerbsException.isRefusal(e) && !VerbsException.isShortage(e)) {
                        throw e;
                    }
                    refused = e;
                }
            }
        }
        throw Objects.requireNonNull(refused);
    }
}
