package org.exsockets.verbs.soft.host;

import java.nio.ByteBuffer;
import org.exsockets.observe.Log;

/**
 * Memory that Java does not offer: shared memory without a name (memfd_create(2)) whose length is sealed, and pages
 * exchanged under a running program. In the library of {@link org.exsockets.jdk.DescriptorPoll}. Any thread.
 *
 * <p>Methods that can fail return a negative errno. Offsets, addresses and lengths are multiples of the page, and the
 * caller answers for them.
 */
public final class NativeMemory {
    // Of madvise(2), the same on every supported architecture.
    private static final int DONTDUMP = 16;
    private static final int POPULATE_WRITE = 23;

    private static volatile boolean dumped;

    private NativeMemory() {}

    public static native int pageBytes();

    /** {@return the descriptor of new memory, of fixed length, not executable, without any page} */
    public static native int create(long lengthBytes);

    /** {@return the length of memory that is sealed and has ordinary pages; −EPERM for anything else} */
    public static native long sealedBytes(int descriptor);

    /** {@return the address at which a part of it is mapped now, shared} */
    public static long map(int descriptor, long offset, long lengthBytes) {
        long address = mapShared(descriptor, offset, lengthBytes);
        if (address >= 0) {
            leaveOutOfDumps(address, lengthBytes);
        }
        return address;
    }

    private static native long mapShared(int descriptor, long offset, long lengthBytes);

    /** Maps a part of it in place of what is mapped at {@code address}. */
    public static int mapOver(long address, int descriptor, long offset, long lengthBytes) {
        int failure = mapSharedOver(address, descriptor, offset, lengthBytes);
        if (failure == 0) {
            leaveOutOfDumps(address, lengthBytes);
        }
        return failure;
    }

    private static native int mapSharedOver(long address, int descriptor, long offset, long lengthBytes);

    /** As core(5) counts it, it is anonymous memory, and would be in every dump with what all connections carry. */
    private static void leaveOutOfDumps(long address, long lengthBytes) {
        if (!dumped) {
            advise(address, lengthBytes, DONTDUMP); // Cannot fail.
        }
    }

    /** Sets the user's choice, before anything is mapped: whether core dumps of this process have what it shares. */
    public static void dump(boolean wanted) {
        dumped = wanted;
    }

    /** Unmaps memory that nobody uses any more; a failure is logged. */
    public static void release(long address, long lengthBytes) {
        int failure = unmap(address, lengthBytes);
        if (failure < 0) {
            Log.warn("unmap: failed: length=" + lengthBytes + ", " + message(-failure));
        }
    }

    private static native int unmap(long address, long lengthBytes);

    /**
     * Puts private pages with the same content in place of those that are mapped. Threads of this process find pages at
     * any time. Bytes written meanwhile are in the old pages, or in both.
     */
    public static native int makePrivate(long address, long lengthBytes);

    /** Makes the pages of a part of the memory that do not exist: all, or none if the system refuses. */
    public static native int allocate(int descriptor, long offset, long lengthBytes);

    /**
     * As {@link #allocate}, for memory that is mapped, whose descriptor may be closed; some pages may be made though
     * the system refuses. Linux before 5.14 does: −EINVAL.
     */
    public static int allocate(long address, long lengthBytes) {
        return advise(address, lengthBytes, POPULATE_WRITE);
    }

    private static native int advise(long address, long lengthBytes, int advice);

    /** Removes the pages of a part of the memory; every process that maps it finds zeroes, in new pages. */
    public static native int empty(int descriptor, long offset, long lengthBytes);

    /**
     * As {@link #empty}, for memory that is mapped shared: the pages that lie whole in these bytes, which may begin and
     * end anywhere.
     */
    public static native int emptyWithin(ByteBuffer memory, long offset, long lengthBytes);

    /** {@return bytes of the whole pages that exist in memory mapped shared, whichever process has touched them} */
    public static native long presentBytes(ByteBuffer memory, long offset, long lengthBytes);

    /** Not for what a peer has passed and this process does not want: {@link LocalSocket#closePassed}. */
    public static native void close(int descriptor);

    /** Fills at most 32 numbers from the kernel's generator, getrandom(2). {@return whether it gives any} */
    public static native boolean random(long[] into);

    /** {@return a buffer over memory that the caller keeps mapped while the buffer is used; byte order big-endian} */
    public static native ByteBuffer buffer(long address, long lengthBytes);

    /** {@return what the system says about an errno, positive} */
    public static native String message(int errno);
}
