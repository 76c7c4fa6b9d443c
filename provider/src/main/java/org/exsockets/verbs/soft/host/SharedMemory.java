package org.exsockets.verbs.soft.host;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.memory.Words;

/**
 * Memory that this process shares with another one, mapped whole. It has no name: a peer is passed its descriptor. Its
 * length is sealed, so that no access to it can fail. Pages exist from the first touch. Thread-safe but for
 * {@link #unmap}.
 */
public final class SharedMemory {
    private static final int NONE = -1;

    private final long address;
    private final ByteBuffer memory;
    private final Words words;

    @GuardedBy("this")
    private int descriptor;

    private SharedMemory(int descriptor, long address, int lengthBytes) {
        this.descriptor = descriptor;
        this.address = address;
        this.memory = NativeMemory.buffer(address, lengthBytes).order(ByteOrder.nativeOrder());
        this.words = Words.of(memory);
    }

    /**
     * Makes zeroed memory, whose {@link #descriptor} stays open until {@link #closeDescriptor}.
     *
     * @throws SystemFailure if there is no descriptor or no mapping for it
     */
    public static SharedMemory create(int lengthBytes) throws SystemFailure {
        return create(lengthBytes, 0);
    }

    /**
     * As {@link #create(int)}, with pages for the first bytes.
     *
     * @throws SystemFailure also if there is no memory for them
     */
    public static SharedMemory create(int lengthBytes, int allocatedBytes) throws SystemFailure {
        int descriptor = (int) SystemFailure.check(NativeMemory.create(lengthBytes));
        try {
            if (allocatedBytes > 0) {
                SystemFailure.check(NativeMemory.allocate(descriptor, 0, allocatedBytes));
            }
            return new SharedMemory(descriptor, map(descriptor, lengthBytes), lengthBytes);
        } catch (SystemFailure | OutOfMemoryError e) {
            NativeMemory.close(descriptor);
            throw e;
        }
    }

    /**
     * Maps what a peer has passed.
     *
     * @param descriptor stays the caller's
     * @throws SystemFailure with {@link SystemFailure#isWantOfResources} if it cannot be mapped now
     * @throws IOException if it is not sealed memory of this length
     */
    public static SharedMemory map(int descriptor, int lengthBytes, String what) throws IOException {
        long sealed = NativeMemory.sealedBytes(descriptor);
        if (sealed != lengthBytes) {
            throw new IOException(what + ": not memory of this length that is sealed: announced=" + lengthBytes
                    + (sealed < 0 ? ", " + NativeMemory.message((int) -sealed) : ", length=" + sealed));
        }
        return new SharedMemory(NONE, map(descriptor, lengthBytes), lengthBytes);
    }

    private static long map(int descriptor, int lengthBytes) throws SystemFailure {
        return SystemFailure.check(NativeMemory.map(descriptor, 0, lengthBytes));
    }

    /** {@return the whole of it, native byte order, position 0} */
    public ByteBuffer memory() {
        return memory;
    }

    public Words words() {
        return words;
    }

    /** {@return a view of {@code lengthBytes} bytes from {@code offset}, native byte order} */
    public ByteBuffer slice(int offset, int lengthBytes) {
        return memory.slice(offset, lengthBytes).order(ByteOrder.nativeOrder());
    }

    /** Makes the pages of a part that do not exist. {@return whether there is memory for them} */
    public boolean allocate(int offset, int lengthBytes) {
        int inPage = offset & NativeMemory.pageBytes() - 1;
        if (NativeMemory.allocate(address + offset - inPage, inPage + lengthBytes) == 0) {
            return true;
        }
        NativeMemory.emptyWithin(memory, offset, lengthBytes);
        return false;
    }

    /** {@return what to pass to a peer; −1: closed} */
    public synchronized int descriptor() {
        return descriptor;
    }

    /** It is passed to no more peers. Idempotent. */
    public synchronized void closeDescriptor() {
        if (descriptor != NONE) {
            NativeMemory.close(descriptor);
            descriptor = NONE;
        }
    }

    /** For the last user: any later access by any thread, to any view of it, ends the JVM. */
    public void unmap() {
        closeDescriptor();
        NativeMemory.release(address, memory.capacity());
    }
}
