package org.exsockets.verbs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * An established connection of a device: its queue pair, and the memory each end exposes to the other's writes from
 * the start.
 *
 * <p>{@link #release()} gives back all memory; it is for the last user, after {@link QueuePair#disconnect}.
 */
public interface Endpoint {
    /** {@return the name of the device this connection runs over} */
    String device();

    QueuePair queuePair();

    /** {@return the local memory that the peer may write to, native byte order} */
    ByteBuffer exposed();

    /** {@return first address of the peer's exposed memory, for {@link WorkRequest#remoteAddress}} */
    long remoteAddress();

    int remoteKey();

    /** {@return bytes the peer exposes} */
    int remoteLength();

    /** {@return most bytes that {@link #expose} may be asked for, as this end's own parameters say} */
    default int maxExposedBytes() {
        return 0;
    }

    /**
     * Exposes a further region; the memory is there when this returns, so that touching it cannot fail later. Takes the
     * time of some system calls. One thread at a time.
     *
     * @param lengthBytes a power of two, at most {@link #maxExposedBytes}
     * @return null if there is no memory for it, or the device cannot; the device has logged why
     */
    default ExposedRegion expose(int lengthBytes) {
        return null;
    }

    /**
     * The peer has told that it exposes a further region: makes it a target of writes, beside the one in use. May take
     * the time of some system calls. One thread at a time.
     *
     * @return false if it cannot be reached; the device has logged why
     */
    default boolean reach(long address, int key, int lengthBytes) {
        return false;
    }

    /** The writer: no write goes to the peer's region with this key any more. */
    default void leave(int key) {}

    /**
     * {@return bytes of the reserve that {@link #takeReserve} would give now; 0: the device has none, or has none for the moment}
     * The reserve is memory beside {@link #remoteLength} bytes of the peer's that this end can write to without asking the peer, and
     * that costs nothing until then. Any thread.
     */
    default int reserveBytes() {
        return 0;
    }

    /**
     * The writer: makes the reserve a target of writes, beside the region in use; the memory is there when this returns, so that
     * touching it cannot fail later. Takes the time of some system calls, and about a millisecond for 4 MiB. Once.
     *
     * @param mostBytes a power of two
     * @return null if there is no memory for it, or the device cannot; the device has logged why
     */
    default RemoteRegion takeReserve(int mostBytes) {
        return null;
    }

    /**
     * The poller: {@return the reserve that the peer has taken, where its writes arrive; null if it has not} To be asked when the
     * peer has told that it writes there.
     */
    default ByteBuffer reserveOfPeer() {
        return null;
    }

    /**
     * Lets memory of this end go that the peer has written to: nobody needs what is there, and nobody writes there meanwhile. It takes none until the
     * next write. Pages that lie in it only in part stay. Any thread.
     *
     * @param memory {@link #exposed}, or {@link #reserveOfPeer}
     */
    default void letGo(ByteBuffer memory, int offset, int length) {}

    /**
     * As {@link #letGo}, for memory of the peer's.
     *
     * @param key {@link #remoteKey}, or that of the reserve
     */
    default void letGoOfPeer(int key, int offset, int length) {}

    /** Looks how much memory it takes, for the device's bound. Until {@link #release}; any thread. */
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
    default ProgramMemory registered(ByteBuffer memory, int offset, int length) {
        return null;
    }

    /**
     * As {@link #registered}, for memory that the program has brought for this purpose: at once, and all of it if the device
     * can.
     *
     * @param memory of the program, heap or direct
     * @param offset bytes from the beginning of {@code memory}, whatever its position
     * @param length ≥ 1
     * @return null if this device cannot let the peer write to these bytes
     */
    default ProgramMemory register(ByteBuffer memory, int offset, int length) {
        return registered(memory, offset, length);
    }

    /**
     * A registration from which this device sends these bytes without a copy, as {@link WorkRequest#memory}; registers the
     * memory if that is likely to pay off. Allocates nothing once there is one. Any thread.
     *
     * @param memory of the program, heap or direct
     * @param offset bytes from the beginning of {@code memory}, whatever its position
     * @param length ≥ 1
     * @return null if there is none: then the request is to be {@link WorkRequest#inline}. How many of the bytes it covers,
     *     {@link ProgramMemory#advertisable} tells: the first one at least
     */
    default ProgramMemory sendable(ByteBuffer memory, int offset, int length) {
        return null;
    }

    /**
     * The peer has advertised memory of its program: makes it a target of writes. May take the time of some system calls,
     * once for each registration of the peer. One thread at a time.
     *
     * @param length ≥ 1
     * @return false if this end cannot write there; the device has logged why
     */
    default boolean reaches(long address, int rkey, long length) {
        return false;
    }

    /**
     * {@return how many windows may be open at once, a power of two; 0 if the device has none} Memory is advertised through
     * a window, which its owner closes at a moment's notice, without the peer's help: what a memory window of type 2 and its
     * local invalidation are among verbs, but that a write through a closed one does not end the connection.
     */
    default int windows() {
        return 0;
    }

    /**
     * Opens a window; nothing that went through it before is under way or yet to come, or else it has been closed. The
     * poller.
     *
     * @param window less than {@link #windows}
     * @param address {@link ProgramMemory#remoteAddress} of the first byte
     * @return what is advertised instead of it
     */
    default long openWindow(int window, long address) {
        return address;
    }

    /**
     * Closes a window that is open, or tries to again: from now on the peer enters it no more ({@link #tryEnterWindow}). The
     * poller.
     *
     * @return whether the peer is not within: whatever it has written through the window is there, and the messages it has
     *     posted since can be polled
     */
    default boolean closeWindow(int window) {
        return false;
    }

    /**
     * The writer: is about to write through a window of the peer's. {@link #leaveWindow} follows, when the message that tells
     * of the bytes has been posted.
     *
     * @param address of the peer, as advertised
     * @return false if the window is closed: nothing may be written, and nothing follows
     */
    default boolean tryEnterWindow(long address) {
        return true;
    }

    /** The writer: has posted what belongs to the write, or has not written. */
    default void leaveWindow() {}

    /**
     * Has {@code attendant} run when the peer has posted something {@link WorkRequest#solicited}, and at other times, too: it
     * looks at the completions, as the program may be in no call. Once, before the program gets the connection. A device
     * whose peers need no answer ({@link #windows}) does nothing.
     *
     * @param attendant must not block
     */
    default void attend(Runnable attendant) {}

    /**
     * {@return the least bytes with which a write of the peer's straight into memory of the program has been measured to pay
     * over this device, if nothing else is outstanding; 0 if it does not stand out} Less goes through the exposed memory.
     */
    default int minDirectBytes() {
        return 0;
    }

    /** {@return whether {@link #detach} is more than a chance: reads of programs that may be cancelled can be advertised} */
    default boolean detaches() {
        return false;
    }

    /**
     * Takes advertised memory away from the peer, which has not answered, without losing the connection. From the return
     * on no write of the peer, whether under way or yet to come, changes these bytes: what it has placed and still places
     * there is found in the buffer returned, which keeps its content until the endpoint's release. The bytes themselves
     * keep what they hold at the return. Any thread, one at a time for the same bytes.
     *
     * <p>A device that cannot move pages may invalidate the registration and return a copy of the bytes: a peer that has
     * not begun to write learns in time that it must not; the write of one that has fails, and the connection with it.
     *
     * @param memory as for {@link ProgramMemory#advertisable}
     * @param offset of the advertised bytes
     * @param length of the advertised bytes
     * @return memory of {@code length} bytes from its beginning; null if the device cannot, or some of the bytes were taken
     *     away before, for instance as exported ones: then the connection is lost, and {@link #takeAway} follows
     */
    default ByteBuffer detach(ByteBuffer memory, int offset, int length) {
        return null;
    }

    /**
     * As {@link #detach}, for a connection that is lost: nobody asks for what the peer places there. Of bytes that were taken
     * away before, for whatever reason, nothing need be done.
     *
     * @return false if the device cannot, then the caller gives the memory back only behind {@link #sever}
     */
    default boolean takeAway(ByteBuffer memory, int offset, int length) {
        return detach(memory, offset, length) != null;
    }

    /**
     * The last resort where {@link #detach} has failed: from the return on no write of the peer reaches memory of the
     * program. The connection is lost: the queue pair is in the error state, and the caller disconnects it. May take the
     * time of some system calls; waits for nobody. Idempotent. Any thread.
     */
    default void sever() {}

    /** {@return receives either end may post, and so the messages that may be under way in one direction} */
    int receiveDepth();

    /** {@return the version that both ends speak, chosen by the connection manager from what both offer} */
    int version();

    InetSocketAddress localAddress();

    InetSocketAddress remoteSocketAddress();

    /** {@return that of {@link #localAddress}, without its port, which may have to be found} */
    default InetAddress localHost() {
        return localAddress().getAddress();
    }

    /** {@return that of {@link #remoteSocketAddress}, without its port, which may have to be found} */
    default InetAddress remoteHost() {
        return remoteSocketAddress().getAddress();
    }

    /** Resets and releases an endpoint that nobody uses. */
    default void discard() {
        queuePair().disconnect(DisconnectReason.ABORT, 0);
        release();
    }

    /** Frees everything; no object obtained from this endpoint may be used afterwards, by any thread. Idempotent. */
    void release();
}
