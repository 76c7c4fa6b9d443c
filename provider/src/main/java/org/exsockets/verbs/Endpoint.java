package org.exsockets.verbs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An established connection of a device: its queue pair, and the memory each end exposes to the other's writes from
 * the start.
 *
 * <p>{@link #release()} gives back all memory; it is for the last user, after {@link QueuePair#disconnect}.
 */
public interface Endpoint {
    String device();

    QueuePair queuePair();

    /** {@return the local memory that the peer may write to, native byte order} */
    ByteBuffer exposed();

    /** {@return the memory that the peer exposes to this end} */
    RemoteRegion remote();

    /** {@return what makes room when exposed memory is full; null: nothing does} */
    @Nullable
    MoreRoom moreRoom();

    /** {@return access to memory of the programs; null: neither end reaches the other one's} */
    @Nullable
    DirectAccess direct();

    /**
     * Has {@code attendant} run some milliseconds after the peer has posted something solicited, and at other times,
     * too. The attendant checks the completions, as no thread of the program may be in a call. Called once, before the
     * program gets the connection. A device whose peers need no answer has nothing to do ({@link DirectAccess.MemoryWindows}).
     *
     * @param attendant must not block; the connection is not released meanwhile
     */
    default void attend(Runnable attendant) {}

    /** {@return how many receives each end may post, and so how many messages may be under way in one direction} */
    int receiveDepth();

    /** {@return the version that both ends speak, chosen by the connection manager from what both offer} */
    int version();

    InetSocketAddress localAddress();

    InetSocketAddress remoteAddress();

    /** {@return the host of {@link #localAddress}, whose port may have to be found} */
    default InetAddress localHost() {
        return localAddress().getAddress();
    }

    /** {@return the host of {@link #remoteAddress}, whose port may have to be found} */
    default InetAddress remoteHost() {
        return remoteAddress().getAddress();
    }

    /** Resets and releases an endpoint that has no user. */
    default void discard() {
        queuePair().disconnect(DisconnectReason.ABORT, 0);
        release();
    }

    /** Frees everything; no object obtained from this endpoint may be used afterwards, by any thread. Idempotent. */
    void release();
}
