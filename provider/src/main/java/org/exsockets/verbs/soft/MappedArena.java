package org.exsockets.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An arena of a peer, mapped. Belongs to {@link PeerArenas}. */
final class MappedArena {
    /**
     * An arena, among all of them.
     *
     * @param process the token of the owner's
     */
    record Name(long process, int key) {}

    private final Name name;
    private final SharedMemory memory;

    /** Connections that use it; guarded by {@link PeerArenas}. */
    private int users;

    private MappedArena(Name name, SharedMemory memory) {
        this.name = name;
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
        SharedMemory memory = SharedMemory.map(descriptor, (int) length, "arena of the peer");
        if (!ArenaDescriptor.isArena(memory.words(), length)) {
            memory.unmap();
            throw new IOException("arena of the peer: not an arena");
        }
        return new MappedArena(new Name(process, ArenaDescriptor.keyOf(memory.words())), memory);
    }

    Name name() {
        return name;
    }

    int key() {
        return name.key;
    }

    /** {@return the whole arena, native byte order} */
    ByteBuffer memory() {
        return memory.memory();
    }

    /** {@return whether so many bytes from {@code offset} on are for allocations} */
    boolean contains(long offset, long lengthBytes) {
        return lengthBytes >= 0 && offset >= NativeMemory.pageBytes() && offset <= memory().capacity() - lengthBytes;
    }

    /** {@return whether the owner has no use for it any more} */
    boolean isFreed() {
        return memory.words().intAcquire(ArenaDescriptor.STATE_OFFSET) != ArenaDescriptor.LIVE;
    }

    /** Guarded by {@link PeerArenas}. {@return those that are left} */
    int addUsers(int more) {
        users += more;
        return users;
    }

    /** Nobody touches it any more. */
    void unmap() {
        memory.unmap();
    }
}
