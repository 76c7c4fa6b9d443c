package org.exsockets.verbs.disni.data;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Objects;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.observe.VerbsCounts;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.memory.ConnectionMemory;
import org.exsockets.verbs.disni.memory.ConnectionSizes;
import org.exsockets.verbs.disni.memory.DisniRegions;
import org.jspecify.annotations.Nullable;

/**
 * What one end of a connection has of an adapter: memory, CQ and queue pair, and its place among the adapter's users.
 * Made by one thread before other threads know the connection; given back on the device's thread, once.
 */
public final class ConnectionResources {
    private final Adapter adapter;
    private final InetAddress peerHost;
    private final DisniRegions regions;
    private final VerbsCounts counts = new VerbsCounts();
    private @Nullable ConnectionMemory memory;
    private @Nullable NatCmaIdPrivate queuePairOwner;
    private @Nullable IbvCQ cq;
    private long cqHandle;
    private long qpHandle;
    private boolean queuePairDestroyed;

    /** @param adapter entered for this connection */
    public ConnectionResources(Adapter adapter, InetAddress peerHost) {
        this.adapter = adapter;
        this.peerHost = peerHost;
        this.regions = new DisniRegions(adapter.memory, adapter.growth, peerHost);
    }

    /**
     * @param sizes with the most receives; {@link #memory} tells how many the adapter has granted
     * @throws IOException if the adapter has no resources left; {@link #giveBack} releases what has been made
     */
    public void make(long id, ConnectionSizes sizes) throws IOException {
        queuePairOwner = adapter.objects.id(id);
        adapter.limits.make(new Queues(sizes.exposedBytes()), sizes.receiveDepth());
        Statistics.jvm().register(counts);
    }

    private final class Queues implements QueueLimits.Queues {
        private final int exposedBytes;

        private Queues(int exposedBytes) {
            this.exposedBytes = exposedBytes;
        }

        @Override
        public void prepare(int depth) throws IOException {
            memory = adapter.memory.connection(new ConnectionSizes(exposedBytes, depth));
            int entries = ConnectionSizes.completions(depth);
            cq = adapter.memory.relieved(() -> adapter.createCompletionQueue(entries));
            cqHandle = adapter.objects.handle(cq, Verbs.KIND_CQ);
        }

        @Override
        public void create(int inlineBytes) throws IOException {
            int receives = ConnectionSizes.receives(memory().receiveDepth());
            qpHandle = adapter.memory.relieved(() -> adapter.createQueuePair(
                    Objects.requireNonNull(queuePairOwner),
                    Objects.requireNonNull(cq),
                    memory().sendDepth(),
                    receives,
                    inlineBytes));
        }

        @Override
        public void giveBack() {
            destroyQueue();
            memory().free();
            memory = null;
        }
    }

    public Adapter adapter() {
        return adapter;
    }

    public InetAddress peerHost() {
        return peerHost;
    }

    /** {@return the memory of this end, once it has been made} */
    public ConnectionMemory memory() {
        return Objects.requireNonNull(memory);
    }

    /** {@return what is exposed beyond {@link #memory}} */
    public DisniRegions regions() {
        return regions;
    }

    /** {@return 0 if there is none yet} */
    public long cqHandle() {
        return cqHandle;
    }

    long qpHandle() {
        return qpHandle;
    }

    VerbsCounts counts() {
        return counts;
    }

    /** Gives back everything but the CQ. {@link #destroyCq} has to follow. */
    public void giveBack() {
        Statistics.jvm().retire(counts);
        queuePairDestroyed = destroyQueuePair();
        if (queuePairDestroyed && memory != null) {
            memory.free();
            regions.releaseAll();
        }
    }

    /** Destroys the CQ, if the adapter {@link Adapter#reportsLate} some time later, and leaves the adapter. */
    public void destroyCq() {
        if (queuePairDestroyed) {
            destroyQueue();
        }
        adapter.leave();
    }

    private void destroyQueue() {
        try {
            if (cq != null && cqHandle != 0) {
                adapter.objects.forget(cqHandle);
                requireDone("destroy CQ", cq.destroyCQ());
            }
        } catch (IOException e) {
            Log.warn("a CQ cannot be destroyed: " + e.getMessage() + ", peer=" + peerHost);
        }
        cq = null;
        cqHandle = 0;
    }

    private static void requireDone(String call, int result) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": result=" + result);
        }
    }

    /** {@return whether the device uses the memory no more} */
    private boolean destroyQueuePair() {
        try {
            if (queuePairOwner != null && qpHandle != 0) {
                adapter.objects.forget(qpHandle);
                requireDone("destroy queue pair", queuePairOwner.destroyQP());
            }
            return true;
        } catch (IOException e) {
            Log.warn("a queue pair cannot be destroyed, its memory is given up: " + e.getMessage() + ", peer="
                    + peerHost);
            return false;
        }
    }
}
