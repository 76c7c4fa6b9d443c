package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.exsockets.stream.link.Link;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.MoreRoom;
import org.exsockets.verbs.RemoteRegion;
import org.exsockets.wire.MessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The generations of the peer's hidden buffer as this end writes to them: the one that bytes go to, and the longer one
 * on offer. {@link HiddenBuffers} is the peer's view of them.
 */
final class PeerBuffers {
    private static final long NEVER = -1;

    private final Link link;

    /** The buffer that bytes go to. The writer sets it before it tells the peer; others read it. */
    volatile PeerBuffer sending;

    /**
     * The buffer that the writer switches to as soon as it can; switching clears this. Set by the poller when the peer
     * announces it, or by the writer for the reserve: an endpoint has one of both.
     */
    private volatile @Nullable PeerBuffer offered;

    /** Most bytes of the reserve that are used; any thread writes it. */
    private volatile int mostAhead = EndpointParameters.MAX_EXPOSED_BYTES;

    /**
     * {@link PeerBuffer#granted} when the first reserve was last found full after half of it had been read, and when that
     * was. The writer writes {@code fullNs} first, others read it last: they never take a reader for slow that is not.
     */
    private volatile long fullAt = NEVER;

    private volatile long fullNs;

    /** Newest generation the peer has announced. Poller. */
    private int announcedByPeer;

    PeerBuffers(Link link) {
        this.link = link;
        this.sending = new PeerBuffer(null, link.endpoint.remote());
    }

    /** {@return whether there is one to switch to; any thread} */
    boolean isOffered() {
        return offered != null;
    }

    /** Writer, having found one on offer: the bytes from {@code placed} on go there. {@return it} */
    PeerBuffer switchAt(long placed) {
        PeerBuffer from = sending;
        PeerBuffer to = Objects.requireNonNull(offered);
        from.endAt(placed);
        to.beginAt(placed);
        offered = null;
        sending = to;
        return to;
    }

    /** Writer. @see StreamEngine#trim */
    void trim(MoreRoom.Shared shared, long placed) {
        PeerBuffer in = sending;
        int free = (int) (in.granted - placed);
        int offset = in.offset(placed);
        int first = Math.min(free, in.length - offset);
        shared.freeOfPeer(in.key, offset, first);
        shared.freeOfPeer(in.key, 0, free - first);
    }

    /** Writer. @see Outgoing#takeReserve */
    boolean takeReserve(long placed) {
        PeerBuffer from = sending;
        MoreRoom.Shared shared = link.shared;
        if (shared == null || offered != null || from.granted > placed) {
            return false;
        }
        if (from.generation == 1 && (fullAt == NEVER || from.granted - fullAt >= from.length / 2)) {
            fullNs = System.nanoTime();
            fullAt = from.granted;
        }
        int wanted = reserve(from);
        if (wanted == 0) {
            return false;
        }
        RemoteRegion reserve = shared.take(wanted);
        if (reserve == null) {
            link.listener.onGrowthRefused(wanted);
            return false;
        }
        offered = new PeerBuffer(from, reserve);
        return true;
    }

    /** {@return bytes of the reserve that the writer can switch to by itself from a full buffer, or 0; any thread} */
    private int reserve(PeerBuffer full) {
        MoreRoom.Shared shared = link.shared;
        if (shared == null || full.generation >= HiddenBuffers.RESERVES) {
            return 0;
        }
        int bytes = Math.min(shared.reserveBytes(), Math.max(full.length, mostAhead));
        return full.generation == 0 || bytes > full.length && isReaderSlow(full) ? bytes : 0;
    }

    /**
     * {@return whether the second reserve may be taken} As TCP's buffers grow for a reader that is behind, and has read. A
     * longer ring is slower to go through: streams whose reader is only slower than their writer stay in the first.
     */
    private boolean isReaderSlow(PeerBuffer full) {
        long at = fullAt;
        return at != NEVER
                && full.granted - at < full.length / 2
                && link.rules.isSlow(System.nanoTime() - fullNs)
                && full.isRead();
    }

    /** @see Outgoing#hasSlowReader */
    boolean hasSlowReader(long placed) {
        PeerBuffer now = sending;
        return now.generation == 1 && lackRoom(placed) && reserve(now) > 0;
    }

    /** @see Outgoing#limitAhead */
    void limitAhead(int chosenBytes) {
        int doubled = Math.min(EndpointParameters.MAX_EXPOSED_BYTES, 2 * Math.min(chosenBytes, 1 << 29));
        mostAhead = Integer.highestOneBit(Math.max(1, doubled * 2 - 1));
    }

    // Poller.

    /** The peer has read {@code freed} bytes of a buffer. */
    void onAcknowledged(int generation, long freed, long placed) {
        PeerBuffer to = sending.acknowledged(generation, link.rules);
        if (to == null || !to.onAcknowledged(freed, placed)) {
            link.violation("more bytes acknowledged than were sent", freed);
        }
    }

    /** The peer has announced a longer buffer, which is of no use if {@code finished}. */
    void onOffered(ByteBuffer message, int offset, boolean finished) {
        int generation = MessageDescriptor.id(message, offset);
        PeerBuffer now = sending;
        long length = MessageDescriptor.length(message, offset);
        if (link.exposing == null || announcedByPeer != now.generation || generation != now.generation + 1) {
            link.violation("hidden buffer announced out of turn", generation);
            return;
        }
        if (Long.bitCount(length) != 1 || length <= now.length || length > EndpointParameters.MAX_EXPOSED_BYTES) {
            link.violation("hidden buffer of impossible length announced", length);
            return;
        }
        announcedByPeer = generation;
        long address = MessageDescriptor.address(message, offset);
        int key = MessageDescriptor.rkey(message, offset);
        if (!finished) {
            offered = new PeerBuffer(now, new RemoteRegion(address, key, (int) length));
        }
    }

    // Any thread.

    /** {@return buffered bytes that the peer has not acknowledged; roughly right} */
    long unacknowledgedBytes(long placed) {
        PeerBuffer to = sending;
        return to.length - (to.granted - placed);
    }

    /** {@return whether the peer has neither room for more nor a longer buffer on offer} */
    boolean lackRoom(long placed) {
        PeerBuffer to = sending;
        return offered == null && to.granted <= placed;
    }

    /** {@return the length of the buffer that the writer can switch to from {@code full}; 0: there is none} */
    int nextBytes(PeerBuffer full) {
        PeerBuffer next = offered;
        return next != null ? next.length : reserve(full);
    }
}
