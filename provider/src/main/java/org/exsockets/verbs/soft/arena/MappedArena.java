package org.exsockets.verbs.soft.arena;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.ArenaDescriptor;

/** An arena of a peer, mapped. Belongs to {@link PeerArenas}. */
final class MappedArena {
    /** The identity of an arena: the token of its process, and its key. */
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
     * Maps what a peer has passed as an arena; the descriptor stays the caller's.
     *
     * @throws IOException if it cannot be mapped, or is not an arena
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

    ByteBuffer memory() {
        return memory.memory();
    }

    /** {@return whether {@code lengthBytes} bytes from {@code offset} on are for allocations} */
    boolean contains(long offset, long lengthBytes) {
        return lengthBytes >= 0 && offset >= NativeMemory.pageBytes() && offset <= memory().capacity() - lengthBytes;
    }

    boolean isFreed() {
        return memory.words().intAcquire(ArenaDescriptor.STATE_OFFSET) != ArenaDescriptor.LIVE;
    }

    /** Guarded by {@link PeerArenas}. {@return the users left} */
    int addUsers(int more) {
        users += more;
        return users;
    }

    void unmap() {
        memory.unmap();
    }
}
