package org.exsockets.stream;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.exsockets.stream.link.Rules;
import org.exsockets.verbs.RemoteRegion;
import org.jspecify.annotations.Nullable;

/**
 * One generation of the peer's hidden buffer, as this end writes to it.
 *
 * <p>Until the writer switches to it, it belongs to the writer, except its final fields. From then on the poller writes
 * {@link #granted}, with release, and other threads read it; {@link #base} is constant; the writer writes {@link #end}
 * when it leaves the buffer.
 */
final class PeerBuffer {
    /** Large transfers are split, so that the reader copies one part out while the next is copied in. */
    static final int MAX_TRANSFER = 64 * 1024;

    private static final int TRANSFERS_PER_BUFFER = 4;

    final int generation;
    final long address;
    final int key;
    final int length;
    final int maxTransfer;

    /** The previous generation while the peer may still acknowledge bytes in it, otherwise null. */
    private volatile @Nullable PeerBuffer previous;

    /** Position among the buffered bytes of its first byte. */
    private long base;

    /** Position among the buffered bytes up to which there has ever been room; any thread reads it. */
    volatile long granted;

    /** Position among the buffered bytes behind its last byte. A stale value means no end. */
    private volatile long end = Long.MAX_VALUE;

    private static final AtomicLongFieldUpdater<PeerBuffer> GRANTED =
            AtomicLongFieldUpdater.newUpdater(PeerBuffer.class, "granted");

    /** @param previous the one that it follows; null: it is the first */
    PeerBuffer(@Nullable PeerBuffer previous, RemoteRegion memory) {
        this.previous = previous;
        this.generation = previous == null ? 0 : previous.generation + 1;
        this.address = memory.address();
        this.key = memory.key();
        this.length = memory.lengthBytes();
        this.maxTransfer = Math.max(1, Math.min(MAX_TRANSFER, length / TRANSFERS_PER_BUFFER));
        this.granted = length;
        if (previous != null && previous.isBegun()) {
            previous.previous = null;
        }
    }

    /** Writer: the bytes from {@code position} on go here. */
    void beginAt(long position) {
        base = position;
        granted = position + length;
    }

    /** {@return whether the peer is known to have read something here, and so to have left the buffer before} */
    private boolean isBegun() {
        return granted - length > base;
    }

    /** {@return whether the peer is known to have read something, here or in a buffer before} */
    boolean isRead() {
        PeerBuffer before = previous;
        return isBegun() || before != null && before.isRead();
    }

    /** Writer: the bytes from {@code position} on go elsewhere. */
    void endAt(long position) {
        end = position;
    }

    /** Poller: {@return the buffer that an ACK is for; null if no ACK can be for that generation} */
    @Nullable
    PeerBuffer acknowledged(int whichGeneration, Rules rules) {
        if (rules.concerns(whichGeneration, generation)) {
            return this;
        }
        // The peer may have sent it before the SWITCHED came.
        PeerBuffer before = previous;
        return before == null ? null : before.acknowledged(whichGeneration, rules);
    }

    /** {@return where in the buffer the buffered byte at {@code position} goes} */
    int offset(long position) {
        return (int) (position - base) & length - 1;
    }

    /**
     * Poller: the peer has room for {@code freed} bytes more.
     *
     * @param placed buffered bytes that have been written
     * @return false if fewer bytes of this buffer are unacknowledged
     */
    boolean onAcknowledged(long freed, long placed) {
        long outstanding = Math.min(placed, end) - (granted - length);
        if (freed <= 0 || freed > outstanding) {
            return false;
        }
        GRANTED.lazySet(this, granted + freed);
        return true;
    }
}
