package org.exsockets.verbs.soft;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Memory that Java cannot arrange: files allocated and emptied by pages, and pages exchanged under a running program. In
 * the library of {@link NativeCopy}; nothing may be called unless {@link #available}. Any thread.
 *
 * <p>What can fail returns a negative errno. Offsets, addresses and lengths are multiples of the page, and the caller
 * answers for them.
 */
final class NativeMemory {
    private NativeMemory() {}

    /** {@return whether the library is there; {@link NativeCopy#obstacle} tells why not} */
    static boolean available() {
        return NativeCopy.available();
    }

    static byte[] bytes(Path file) {
        return file.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** {@return bytes of a page} */
    static native int pageBytes();

    /** {@return the descriptor of a new file of this length, without any page; a failure leaves no file} */
    static native int create(byte[] path, long lengthBytes);

    /** {@return the descriptor of an existing regular file of this user, no link; for reading and writing} */
    static native int open(byte[] path);

    /** {@return the length of a file now} */
    static native long size(int descriptor);

    /** {@return the address at which a part of a file is mapped now, shared} */
    static native long map(int descriptor, long offset, long lengthBytes);

    /** Maps a part of a file in place of what is mapped at {@code address}. */
    static native int mapOver(long address, int descriptor, long offset, long lengthBytes);

    static native int unmap(long address, long lengthBytes);

    /**
     * Puts private pages with the same content in place of those that are mapped. Threads of this process find pages at
     * any time; what anybody writes to the old ones meanwhile is in those or in both.
     */
    static native int makePrivate(long address, long lengthBytes);

    /** Gives a part of a file that has no pages all of them, zeroed; a full file system leaves it without any. */
    static native int allocate(int descriptor, long offset, long lengthBytes);

    /** Takes a part of a file its pages; whoever has mapped it finds zeroes, in new pages. */
    static native int empty(int descriptor, long offset, long lengthBytes);

    static native void close(int descriptor);

    /** {@return a buffer over memory that the caller keeps mapped as long as anybody uses it; byte order big-endian} */
    static native ByteBuffer buffer(long address, long lengthBytes);

    /** {@return what the system says about an errno, positive} */
    static native String message(int errno);
}
