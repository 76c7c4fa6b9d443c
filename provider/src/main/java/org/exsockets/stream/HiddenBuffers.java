package org.exsockets.stream;

import java.nio.ByteBuffer;
import org.exsockets.stream.link.Link;
import org.exsockets.verbs.MoreRoom;
import org.jspecify.annotations.Nullable;

/**
 * The generations of this end's hidden buffer: the one that bytes arrive in, and what follows it. Where both ends have
 * the memory, a peer that finds no room switches to its reserves by itself, and sends SWITCHED. Over other devices
 * it switches to what it has been told of ({@link Growth}). Belongs to the poller.
 */
final class HiddenBuffers {
    /** Of each writer. */
    static final int RESERVES = 2;

    private final Link link;

    /** The buffer that bytes arrive in. */
    HiddenBuffer arriving;

    /** Null: buffers do not grow. */
    final @Nullable Growth growth;

    HiddenBuffers(Link link) {
        this.link = link;
        this.arriving = new HiddenBuffer(0, link.endpoint.exposed(), null, link.rules);
        MoreRoom.Exposing room = link.exposing;
        this.growth = room != null && room.maxBytes() > arriving.length ? new Growth(link, room) : null;
    }

    /**
     * The peer has switched to the follower or to the reserve, behind {@code arrived} buffered bytes.
     *
     * @return false if this generation was not offered
     */
    boolean onSwitched(int generation, long arrived) {
        HiddenBuffer next = growth != null ? growth.announced() : reserve();
        if (next == null || generation != next.generation) {
            return false;
        }
        arriving.endAt(arrived, next);
        arriving = next;
        if (growth != null) {
            growth.onGrown();
        }
        link.listener.onGrown(arriving.length);
        return true;
    }

    /** {@return the reserve as the next generation, if the peer has taken it; otherwise null} */
    private @Nullable HiddenBuffer reserve() {
        MoreRoom.Shared shared = link.shared;
        int next = arriving.generation + 1;
        if (shared == null || next > RESERVES) {
            return null;
        }
        ByteBuffer taken = shared.takenByPeer(next);
        return taken == null ? null : new HiddenBuffer(next, taken, null, link.rules);
    }
}
