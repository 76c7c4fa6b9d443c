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

    /** {@return first address of the peer's exposed memory, for {@link WorkRequest#remoteAddress}} */
    long remoteAddress();

    int remoteKey();

    int remoteLength();

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

    /**
     * Finds the registration of memory of the program, making one if the device may and it pays. On the path of every
     * large read: allocates nothing once there is one. Any thread.
     *
     * @param memory of the program, heap or direct
     * @param offset bytes from the beginning of {@code memory}, whatever its position
     * @param length ≥ 1
     * @return null if this device cannot let the peer write to these bytes
     */
    default @Nullable ProgramMemory registered(ByteBuffer memory, int offset, int length) {
        return null;
    }

    /** As {@link #registered}, for memory that the program registers explicitly: at once, and all of it if possible. */
    default @Nullable ProgramMemory register(ByteBuffer memory, int offset, int length) {
        return registered(memory, offset, length);
    }

    /**
     * Finds a registration from which this device sends these bytes without a copy, as {@link WorkRequest#memory}.
     * Registers the memory if that is likely to pay off. Parameters and threads as for {@link #registered}.
     *
     * @return null if there is none; then the device takes the payload. A registration covers at least the first byte;
     * {@link ProgramMemory#advertisable} tells how many
     */
    default @Nullable ProgramMemory sendable(ByteBuffer memory, int offset, int length) {
        return null;
    }

    /**
     * Makes memory that the peer has advertised of its program a target of writes. May take the time of some system
     * calls, once for each registration of the peer. One thread at a time.
     *
     * @param length ≥ 1
     * @return false if this end cannot write there; the device has logged why
     */
    default boolean reaches(long address, int rkey, long length) {
        return false;
    }

    /**
     * {@return how many windows may be open at once, a power of two; 0 if the device has none} Memory is advertised
     * through a window, which its owner can close at any time, without the peer. It is like a memory window of type 2
     * of RDMA verbs with local invalidation, except that a write through a closed window does not end the connection.
     */
    default int windows() {
        return 0;
    }

    /**
     * The poller: opens a window. Either it has been closed since its last use, or nothing of that use is under way or
     * yet to come.
     *
     * @param window less than {@link #windows}
     * @param address {@link ProgramMemory#remoteAddress} of the first byte
     * @return the address to advertise instead
     */
    default long openWindow(int window, long address) {
        return address;
    }

    /**
     * The poller: closes an open window, or tries to again. From now on the peer cannot enter it ({@link
     * #tryEnterWindow}).
     *
     * @return whether the peer is outside: then everything it has written through the window is there, and the messages
     *     that it posted with that can be polled
     */
    default boolean closeWindow(int window) {
        return false;
    }

    /**
     * The writer: enters a window of the peer, to write through it. {@link #leaveWindow} follows when the message that
     * announces the bytes has been posted.
     *
     * @param address of the peer, as advertised
     * @return false if the window is closed: nothing may be written, and nothing follows
     */
    default boolean tryEnterWindow(long address) {
        return true;
    }

    /** The writer: leaves the window, after the message that announces the bytes, or without a write. */
    default void leaveWindow() {}

    /**
     * Has {@code attendant} run when the peer has posted something {@link WorkRequest#solicited}, and at other times,
     * too. The attendant checks the completions, as no thread of the program may be in a call. Called once, before the
     * program gets the connection. Does nothing on a device whose peers need no answer ({@link #windows}).
     *
     * @param attendant must not block
     */
    default void attend(Runnable attendant) {}

    /**
     * {@return the smallest length, in bytes, at which a direct transfer from the peer has been measured to pay over
     * this device, if nothing else is outstanding; 0 if the device sets no bound} Less goes through the exposed memory.
     */
    default int minDirectBytes() {
        return 0;
    }

    /** {@return whether {@link #detach} can be relied on, so that reads that may be cancelled can be advertised} */
    default boolean detaches() {
        return false;
    }

    /**
     * Detaches advertised memory from a peer that has not answered, without losing the connection. After the return no
     * write of the peer, whether under way or yet to come, changes these bytes. What it has placed and still places
     * there is in the returned buffer, which keeps its content until the endpoint's release. The bytes keep what they
     * hold at the return. Any thread, one at a time for the same bytes.
     *
     * <p>A device that cannot move pages may invalidate the registration and return a copy of the bytes. A peer that
     * has not begun to write learns in time that it must not. If it has begun, its write fails, and the connection is
     * lost.
     *
     * @param memory as for {@link ProgramMemory#advertisable}
     * @return memory of {@code length} bytes from its beginning; null if the device cannot, or some of the bytes were
     *     taken away before, for instance as exported ones: then the connection is lost, and {@link #takeAway} follows
     */
    default @Nullable ByteBuffer detach(ByteBuffer memory, int offset, int length) {
        return null;
    }

    /**
     * As {@link #detach}, for a lost connection: what the peer places there is not needed. Bytes that were taken away
     * before, for any reason, need nothing.
     *
     * @return false if the device cannot; then the caller gives the memory back only after {@link #sever}
     */
    default boolean takeAway(ByteBuffer memory, int offset, int length) {
        return detach(memory, offset, length) != null;
    }

    /**
     * The last resort if {@link #detach} has failed: after the return no write of the peer reaches memory of the
     * program. The connection is lost: the queue pair is in the error state, and the caller disconnects it. May take
     * some seconds, for an orderly disconnect under way and for the device; never waits for the peer's program.
     * Idempotent. Any thread.
     */
    default void sever() {}

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
