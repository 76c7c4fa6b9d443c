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
    /**
     * Memory of the peer that this end may write to.
     *
     * @param address of its first byte, for {@link WorkRequest#remoteAddress}
     * @param key for {@link WorkRequest#rkey}
     * @param lengthBytes a power of two
     */
    record RemoteRegion(long address, int key, int lengthBytes) {}

    String device();

    QueuePair queuePair();

    /** {@return the local memory that the peer may write to, native byte order} */
    ByteBuffer exposed();

    /** {@return the memory that the peer exposes to this end} */
    RemoteRegion remote();

    /** {@return bound of the bytes that {@link #expose} may be asked for, by this end's own parameters} */
    default int maxExposedBytes() {
        return 0;
    }

    /**
     * Exposes a further region. Its memory is allocated when this returns, so that touching it cannot fail later. Takes
     * the time of some system calls. One thread at a time.
     *
     * @param lengthBytes a power of two, at most {@link #maxExposedBytes}
     * @return null if there is no memory for it, or the device cannot; the device has logged why
     */
    default @Nullable ExposedRegion expose(int lengthBytes) {
        return null;
    }

    /**
     * Makes a further region that the peer has announced a target of writes, beside the one in use. May take the time
     * of some system calls. One thread at a time.
     *
     * @return false if it cannot be reached; the device has logged why
     */
    default boolean reach(long address, int key, int lengthBytes) {
        return false;
    }

    /** The writer: no write goes to the peer's region with this key any more. */
    default void leave(int key) {}

    /**
     * {@return bytes of the reserve that {@link #takeReserve} would give now; 0 if the device has none, or none at the
     * moment} The reserve is memory beside the {@link #remoteLength} bytes that the peer exposes. This end can write to
     * it without asking the peer. It costs nothing until it is taken. Any thread.
     */
    default int reserveBytes() {
        return 0;
    }

    /**
     * The writer: makes the reserve a target of writes, beside the region in use. Touching it cannot fail later; its
     * pages come when they are touched. May take the time of some system calls. Once.
     *
     * @param mostBytes a power of two
     * @return null if there is no memory for it, or the device cannot; the device has logged why
     */
    default @Nullable RemoteRegion takeReserve(int mostBytes) {
        return null;
    }

    /**
     * The poller: {@return the reserve that the peer has taken, where its writes arrive; null if it has taken none} To
     * be called when the peer has announced that it writes there.
     */
    default @Nullable ByteBuffer reserveOfPeer() {
        return null;
    }

    /**
     * Frees pages of this end's memory that the peer has written to, until the next write. Their content must not be
     * needed, and no thread may write there meanwhile. Pages that lie only partly in the range stay. Any thread.
     *
     * @param memory {@link #exposed}, or {@link #reserveOfPeer}
     */
    default void letGo(ByteBuffer memory, int offset, int length) {}

    /**
     * As {@link #letGo}, for memory of the peer.
     *
     * @param key {@link #remoteKey}, or that of the reserve
     */
    default void letGoOfPeer(int key, int offset, int length) {}

    /** Measures how much memory the connection takes, for the device's bound. Until {@link #release}; any thread. */
    default void measure() {}

    /** {@return access to memory of the programs; null: neither end reaches the other one's} */
    @Nullable
    DirectAccess direct();

    /**
     * Has {@code attendant} run when the peer has posted something {@link WorkRequest#solicited}, and at other times,
     * too. The attendant checks the completions, as no thread of the program may be in a call. Called once, before the
     * program gets the connection. A device whose peers need no answer has nothing to do ({@link DirectAccess.MemoryWindows}).
     *
     * @param attendant must not block
     */
    void attend(Runnable attendant);

    /** {@return how many receives each end may post, and so how many messages may be under way in one direction} */
    int receiveDepth();

    /** {@return the version that both ends speak, chosen by the connection manager from what both offer} */
    int version();

    InetSocketAddress localAddress();

    InetSocketAddress remoteSocketAddress();

    /** {@return the host of {@link #localAddress}, whose port may have to be found} */
    default InetAddress localHost() {
        return localAddress().getAddress();
    }

    /** {@return the host of {@link #remoteSocketAddress}, whose port may have to be found} */
    default InetAddress remoteHost() {
        return remoteSocketAddress().getAddress();
    }

    /** Resets and releases an endpoint that has no user. */
    default void discard() {
        queuePair().disconnect(DisconnectReason.ABORT, 0);
        release();
    }

    /** Frees everything; no object obtained from this endpoint may be used afterwards, by any thread. Idempotent. */
    void release();
}
