package org.exsockets.verbs.soft;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.memory.SharedMapping;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.QueuePair;

/** One end of a connection over a segment. */
final class SoftEndpoint implements Endpoint {
    private static final int KEY_A = 1;
    private static final int KEY_B = 2;

    private final SharedMapping mapping;
    private final boolean isA;
    private final int slots;
    private final int regionBytes;
    private final int version;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final SoftQueuePair queuePair;
    private final Runnable onRelease;
    private final AtomicBoolean released = new AtomicBoolean();

    SoftEndpoint(
            SharedMapping mapping,
            boolean isA,
            int slots,
            int regionBytes,
            int version,
            InetSocketAddress local,
            InetSocketAddress remote,
            Doorbell doorbell,
            Runnable onRelease) {
        this.mapping = mapping;
        this.isA = isA;
        this.slots = slots;
        this.regionBytes = regionBytes;
        this.version = version;
        this.local = local;
        this.remote = remote;
        this.queuePair = new SoftQueuePair(mapping.memory(), isA, slots, regionBytes, doorbell);
        this.onRelease = onRelease;
    }

    static int regionKey(boolean ofA) {
        return ofA ? KEY_A : KEY_B;
    }

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public ByteBuffer exposed() {
        return mapping.slice(SegmentDescriptor.regionOffset(isA, slots, regionBytes), regionBytes);
    }

    @Override
    public long remoteAddress() {
        return 0;
    }

    @Override
    public int remoteKey() {
        return regionKey(!isA);
    }

    @Override
    public int remoteLength() {
        return regionBytes;
    }

    @Override
    public int receiveDepth() {
        return slots;
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public InetSocketAddress remoteSocketAddress() {
        return remote;
    }

    @Override
    public void release() {
        if (released.compareAndSet(false, true)) {
            mapping.unmap();
            onRelease.run();
        }
    }
}
