package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.exsockets.stream.link.Link;
import org.exsockets.verbs.ExposedRegion;
import org.exsockets.wire.MessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The generations of this end's hidden buffer: the one that bytes arrive in, and the longer one that is to follow.
 *
 * <p>Over a device with a reserve a peer that finds no room switches to it by itself, once, and sends SWITCHED. Over
 * other devices a follower is allocated when {@link GrowthPolicy} asks for it, and announced once (NEWBUF). The peer's
 * SWITCHED takes it into use; the reader empties the old one first, and then gives it back. The
 * next follower is not announced before the reader has left the buffer before the current one. So unread bytes are in
 * two buffers at most, and an ACK is for one of these two.
 *
 * <p>Belongs to the poller, except {@link #limit}, and except the announcement: the poller makes it due, and whoever
 * flushes sends it, as it sends other messages that may have to wait for a credit. The flusher reads {@link #follower}
 * behind {@link #announceDue}, and the poller does not change it before the peer has answered the announcement.
 */
final class HiddenBuffers {
    private final Link link;
    private final GrowthPolicy policy;

    /** The buffer that bytes arrive in. */
    HiddenBuffer arriving;

    /** Bytes the follower is to have; 0: none is wanted, or it has been allocated. */
    int wantedLength;

    /** From its allocation to the peer's SWITCHED. */
    private @Nullable HiddenBuffer follower;

    /** The peer is to be told of the follower. The poller sets it, after the follower; the flusher clears it. */
    volatile boolean announceDue;

    HiddenBuffers(Link link) {
        this.link = link;
        this.policy = new GrowthPolicy(link.endpoint.maxExposedBytes());
        this.arriving = new HiddenBuffer(0, link.endpoint.exposed(), null, link.rules);
    }

    /** The writer has waited for room. */
    void onWait(long copied) {
        if (follower == null && wantedLength == 0) {
            wantedLength = policy.onWait(arriving.length, copied - arriving.base);
        }
    }

    /** The hidden buffers of both ends are full. */
    void onStuck(long copied) {
        if (follower == null && wantedLength == 0) {
            wantedLength = policy.onStuck(arriving.length, copied - arriving.base);
        }
    }

    /** Any thread: no follower is to be longer than {@code chosenBytes}; as {@link GrowthPolicy#limit}. */
    void limit(int chosenBytes) {
        policy.limit(chosenBytes);
    }

    /** Asks for a follower whatever the policy says, unless there is one. */
    void want(int lengthBytes) {
        if (follower == null && lengthBytes > arriving.length) {
            wantedLength = lengthBytes;
        }
    }

    /** {@return whether the peer has been told of a follower that it has not switched to} */
    boolean isAnnounced() {
        return follower != null && !announceDue;
    }

    /** The peer writes no more. */
    void stop() {
        wantedLength = 0;
        announceDue = false;
    }

    /** Allocates the follower that is wanted, unless the reader is still in the buffer before the current one. */
    void prepare(long copied) {
        long read = copied - arriving.base;
        if (arriving.generation > 0 && read <= 0) {
            return;
        }
        int length = wantedLength;
        wantedLength = 0;
        ExposedRegion region = link.endpoint.expose(length);
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

    /**
     * The peer has switched to the follower or to the reserve, behind {@code arrived} buffered bytes.
     *
     * @return false if this generation was not offered
     */
    boolean onSwitched(int generation, long arrived) {
        HiddenBuffer next = isAnnounced() ? follower : reserve();
        if (next == null || generation != next.generation) {
            return false;
        }
        arriving.endAt(arrived, next);
        arriving = next;
        follower = null;
        policy.onGrown();
        link.listener.onGrown(arriving.length);
        return true;
    }

    /** {@return the reserve as the next generation, if the peer has taken it; otherwise null} */
    private @Nullable HiddenBuffer reserve() {
        ByteBuffer taken = arriving.generation == 0 ? link.endpoint.reserveOfPeer() : null;
        return taken == null ? null : new HiddenBuffer(arriving.generation + 1, taken, null, link.rules);
    }
}
