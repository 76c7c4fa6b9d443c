package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.exsockets.stream.link.Link;
import org.exsockets.verbs.MoreRoom;
import org.exsockets.verbs.MoreRoom.ExposedRegion;
import org.exsockets.wire.MessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Has a longer hidden buffer follow the one that bytes arrive in, over a device on which the reader exposes it. One is
 * allocated when {@link GrowthPolicy} asks for it, and announced once (NEWBUF). The peer's SWITCHED takes it into use;
 * the reader empties the old one first, and then gives it back. The next is not announced before the reader has left the
 * buffer before the current one. So unread bytes are in two buffers at most, and an ACK is for one of these two.
 *
 * <p>Belongs to the poller, except {@link GrowthPolicy#limit}, and the announcement: the poller makes it due, and
 * whoever flushes sends it, as it sends other messages that may have to wait for a credit. The flusher reads {@link
 * #follower} behind {@link #announceDue}, and the poller does not change it before the peer has answered.
 */
final class Growth {
    private final Link link;
    private final MoreRoom.Exposing room;

    final GrowthPolicy policy;

    /** Bytes the follower is to have; 0: none is wanted, or it has been allocated. */
    int wantedLength;

    /** From its allocation to the peer's SWITCHED. */
    private @Nullable HiddenBuffer follower;

    /** The peer is to be told of the follower. The poller sets it, after the follower; the flusher clears it. */
    volatile boolean announceDue;

    /** Set by any thread; a poller that sees it late makes room that is not needed. */
    volatile boolean ending;

    Growth(Link link, MoreRoom.Exposing room) {
        this.link = link;
        this.room = room;
        this.policy = new GrowthPolicy(room.maxBytes());
    }

    /** The writer has waited for room. */
    void onWait(HiddenBuffer arriving, long copied) {
        if (follower == null && wantedLength == 0) {
            wantedLength = policy.onWait(arriving.length, copied - arriving.base);
        }
    }

    /** The hidden buffer is full, and so is the peer's, or nobody reads. */
    void onStuck(HiddenBuffer arriving, long copied) {
        if (follower == null && wantedLength == 0 && !ending) {
            wantedLength = policy.onStuck(arriving.length, copied - arriving.base);
        }
    }

    /** The peer writes no more. */
    void stop() {
        wantedLength = 0;
        announceDue = false;
    }

    /** Allocates the follower that is wanted, unless the reader is still in the buffer before the current one. */
    void prepare(HiddenBuffer arriving, long copied, boolean finArrived) {
        if (finArrived) {
            stop(); // Wanted by a read after the end: what was due before has been dropped.
            return;
        }
        long read = copied - arriving.base;
        if (arriving.generation > 0 && read <= 0) {
            return;
        }
        int length = wantedLength;
        wantedLength = 0;
        ExposedRegion region = room.expose(Math.min(length, 2 * arriving.length), length);
        if (region == null) {
            policy.onRefused(arriving.length, read);
            link.listener.onGrowthRefused(length);
        } else {
            follower = new HiddenBuffer(arriving.generation + 1, region.memory(), region, link.rules);
            announceDue = true;
        }
    }

    /** Flusher: writes the announcement of the follower. The caller posts it in any case. */
    void announce(ByteBuffer message, int credits) {
        announceDue = false;
        HiddenBuffer next = Objects.requireNonNull(follower);
        ExposedRegion region = Objects.requireNonNull(next.region);
        MessageDescriptor.encodeMemory(
                message,
                0,
                MessageDescriptor.NEWBUF,
                credits,
                next.generation,
                region.address(),
                region.key(),
                next.length);
    }

    /** {@return the follower, if the peer has been told of it and not switched to it; otherwise null} */
    @Nullable
    HiddenBuffer announced() {
        return announceDue ? null : follower;
    }

    /** The peer has switched to the follower. */
    void onGrown() {
        follower = null;
        policy.onGrown();
    }
}
