package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.memory.Words;

/** An arena of a peer, mapped. Belongs to {@link PeerArenas}. */
final class MappedArena {
    /**
     * An arena, among all of them.
     *
     * @param process the token of the owner's
     */
    record Name(long process, int key) {}

    private final Name name;
    private final ByteBuffer memory;
    private final long address;

    /** Connections that use it; guarded by {@link PeerArenas}. */
    private int users;

    private MappedArena(Name name, long address, ByteBuffer memory) {
        this.name = name;
        this.address = address;
        this.memory = memory;
    }

    /**
     * Maps what a peer has passed as an arena.
     *
     * @param process the token of the peer's
     * @param descriptor the caller's still
     * @throws IOException if it cannot be mapped or is none
     */
    static MappedArena open(long process, int descriptor) throws IOException {
        long length = SystemFailure.check(NativeMemory.sealedBytes(descriptor));
        if (length <= NativeMemory.pageBytes() || length > ArenaDescriptor.MAX_LENGTH) {
            throw new IOException("arena of the peer: size out of range: size=" + length);
        }
        long address = SystemFailure.check(NativeMemory.map(descriptor, 0, length));
        ByteBuffer memory = NativeMemory.buffer(address, length).order(ByteOrder.nativeOrder());
        if (!ArenaDescriptor.isArena(memory, length)) {
            Mapped.unmap(address, length);
            throw new IOException("arena of the peer: not an arena");
        }
        return new MappedArena(new Name(process, ArenaDescriptor.keyOf(memory)), address, memory);
    }

    Name name() {
        return name;
    }

    int key() {
        return name.key;
    }

    /** {@return the whole arena, native byte order} */
    ByteBuffer memory() {
        return memory;
    }

    /** {@return whether so many bytes from {@code offset} on are for allocations} */
    boolean contains(long offset, long lengthBytes) {
        return lengthBytes >= 0 && offset >= NativeMemory.pageBytes() && offset <= memory.capacity() - lengthBytes;
    }

    /** {@return whether the owner has no use for it any more} */
    boolean isFreed() {
        return Words.intAcquire(memory, ArenaDescriptor.STATE_OFFSET) != ArenaDescriptor.LIVE;
    }

    /** Guarded by {@link PeerArenas}. {@return those that are left} */
    int addUsers(int more) {
        users += more;
        return users;
    }

    /** Nobody touches it any more. */
    void unmap() {
        Mapped.unmap(address, memory.capacity());
    }
}
