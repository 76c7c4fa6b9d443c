package org.exsockets.verbs.soft.arena;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.SharedMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.ArenaDescriptor;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.PeerProcess;

/** An arena of a peer, mapped. Connections use it. */
public final class MappedArena extends PeerMappings.Mapping<MappedArena.Name> {
    /** How many a process maps. */
    public static final int MAX_MAPPED = 64;

    /** The identity of an arena: its process, and its key. */
    public record Name(PeerProcess.Name process, int key) {}

    private MappedArena(Name name, SharedMemory memory) {
        super(name, memory);
    }

    /**
     * Maps what a peer has passed as an arena; the descriptor stays the caller's.
     *
     * @throws IOException if it cannot be mapped, or is not an arena
     */
    static MappedArena open(PeerProcess.Name process, int descriptor) throws IOException {
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
}
