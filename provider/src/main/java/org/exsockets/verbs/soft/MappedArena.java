package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.exsockets.memory.Words;

/** An arena of a peer, mapped. */
final class MappedArena extends PeerMapping {
    private final int key;
    private final int descriptor;
    private final ByteBuffer memory;
    private final long address;

    private MappedArena(int key, Path file, int descriptor, long address, long lengthBytes) {
        super(file);
        this.key = key;
        this.descriptor = descriptor;
        this.address = address;
        this.memory = NativeMemory.buffer(address, lengthBytes).order(ByteOrder.nativeOrder());
    }

    /**
     * Maps a file that another process calls an arena.
     *
     * @throws IOException if it cannot be mapped or is none
     */
    static MappedArena open(int key, Path file) throws IOException {
        if (!NativeMemory.available()) {
            throw new IOException("arena of the peer: no native library: " + NativeCopy.obstacle());
        }
        int descriptor = NativeMemory.open(NativeMemory.bytes(file));
        if (descriptor < 0) {
            throw failure("open", descriptor, file);
        }
        try {
            long length = NativeMemory.size(descriptor);
            if (length <= NativeMemory.pageBytes() || length > ArenaDescriptor.MAX_LENGTH) {
                throw new IOException("arena of the peer: size out of range: file=" + file + ", size=" + length);
            }
            long address = NativeMemory.map(descriptor, 0, length);
            if (address < 0) {
                throw failure("map", address, file);
            }
            MappedArena arena = new MappedArena(key, file, descriptor, address, length);
            if (!arena.isArena()) {
                Mapped.unmap(address, length);
                throw new IOException("arena of the peer: not an arena: file=" + file);
            }
            return arena;
        } catch (IOException e) {
            NativeMemory.close(descriptor);
            throw e;
        }
    }

    private static IOException failure(String call, long result, Path file) {
        return new IOException(
                "arena of the peer: " + call + ": " + NativeMemory.message((int) -result) + ": file=" + file);
    }

    private boolean isArena() {
        try {
            return ArenaDescriptor.isArena(memory, memory.capacity());
        } catch (InternalError truncated) {
            return false;
        }
    }

    int key() {
        return key;
    }

    /** {@return the whole arena, native byte order} */
    ByteBuffer memory() {
        return memory;
    }

    /** {@return whether so many bytes from {@code offset} on are for allocations} */
    boolean contains(long offset, long lengthBytes) {
        return lengthBytes >= 0 && offset >= NativeMemory.pageBytes() && offset <= memory.capacity() - lengthBytes;
    }

    /** {@return whether the file still has all that is mapped} Native code that writes beyond it ends the JVM. */
    boolean isWhole() {
        return NativeMemory.size(descriptor) >= memory.capacity();
    }

    @Override
    boolean isFreed() {
        try {
            return Words.intAcquire(memory, ArenaDescriptor.STATE_OFFSET) != ArenaDescriptor.LIVE;
        } catch (InternalError truncated) {
            return true;
        }
    }

    @Override
    void unmap() {
        Mapped.unmap(address, memory.capacity());
        NativeMemory.close(descriptor);
    }
}
