package org.exsockets.verbs;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the programs at both ends of a connection, which the device writes to and reads from where it lies. An
 * endpoint has this, or moves all bytes through what it exposes ({@link Endpoint#direct}).
 *
 * <p>{@code memory} is the program's, heap or direct; {@code offset} counts from its beginning, whatever its position.
 */
public interface DirectAccess {
    /**
     * Windows through which memory of the programs is advertised. Its owner can close one at any time, without the peer. It
     * is like a memory window of type 2 of RDMA verbs with local invalidation, except that a write through a closed window
     * does not end the connection.
     *
     * <p>{@link #open} and {@link #close} are for the poller of the end that advertises, the others for the peer's writer.
     */
    interface MemoryWindows {
        /** {@return how many may be open at once, a power of two} */
        int count();

        /**
         * Opens a window. Either it has been closed since its last use, or nothing of that use is under way or yet to come.
         *
         * @param window less than {@link #count}
         * @param address {@link ProgramMemory#remoteAddress} of the first byte
         * @return the address to advertise instead
         */
        long open(int window, long address);

        /**
         * Closes an open window, or tries to again. From now on the peer cannot enter it.
         *
         * @return whether the peer is outside: then everything it has written through the window is there, and the messages
         *     that it posted with that can be polled
         */
        boolean close(int window);

        /**
         * Enters a window of the peer, to write through it. {@link #leave} follows when the message that announces the bytes
         * has been posted.
         *
         * @param address of the peer, as advertised
         * @return false if the window is closed: nothing may be written, and nothing follows
         */
        boolean tryEnter(long address);

        /** Leaves the window, after the message that announces the bytes, or without a write. */
        void leave();
    }

    /**
     * Finds a registration that the peer can be told of, making one if the device may and it pays. On the path of every
     * large read: allocates nothing once there is one. Any thread.
     *
     * @param length ≥ 1
     * @return null if the peer cannot be let write to these bytes; otherwise {@link ProgramMemory#release} follows
     */
    @Nullable
    ProgramMemory lease(ByteBuffer memory, int offset, int length);

    /** As {@link #lease}, for memory that the program registers explicitly: at once, and all of it if possible. */
    default @Nullable ProgramMemory leaseWhole(ByteBuffer memory, int offset, int length) {
        return lease(memory, offset, length);
    }

    /**
     * As {@link #lease}, to {@linkplain QueuePair#write send} these bytes without a copy.
     *
     * @return null if there is none: the device takes the payload. A registration covers at least the first byte; {@link
     *     ProgramMemory#advertisable} tells how many
     */
    default @Nullable ProgramMemory leaseToSend(ByteBuffer memory, int offset, int length) {
        return null;
    }

    /**
     * Makes memory that the peer has advertised of its program a target of writes. May take the time of some system
     * calls, once for each registration of the peer. One thread at a time.
     *
     * @param length ≥ 1
     * @return false if this end cannot write there; the device has logged why
     */
    boolean reach(long address, int rkey, long length);

    /**
     * {@return the smallest length, in bytes, at which a direct transfer from the peer has been measured to pay over
     * this device, if nothing else is outstanding; 0 if the device sets no bound} Less goes through the exposed memory.
     */
    default int minBytes() {
        return 0;
    }

    /** {@return the windows through which memory is advertised; null: none} A device with windows can {@link #detach}. */
    default @Nullable MemoryWindows windows() {
        return null;
    }

    /**
     * Detaches advertised memory from a peer that has not answered, without losing the connection. After the return no
     * write of the peer, whether under way or yet to come, changes these bytes. What it has placed and still places
     * there is in the returned buffer, which keeps its content until the endpoint's release. The bytes keep what they
     * hold at the return. Any thread, one at a time for the same bytes.
     *
     * @return memory of {@code length} bytes from its beginning; null if the device cannot, or some of the bytes were
     *     taken away before, for instance as exported ones: then the connection is lost, and {@link #takeAway} follows
     */
    default @Nullable ByteBuffer detach(ByteBuffer memory, int offset, int length) {
        return null;
    }

    /**
     * The last resort, for a connection that is lost: after the return no write of the peer reaches these bytes, and the
     * device reads none of them. A device that cannot do so for some bytes does it for all: the queue pair is in the
     * error state, and the caller disconnects it. May take some seconds, for an orderly disconnect under way and for the
     * device; never waits for the peer's program. Idempotent. Any thread.
     */
    void takeAway(ByteBuffer memory, int offset, int length);
}
