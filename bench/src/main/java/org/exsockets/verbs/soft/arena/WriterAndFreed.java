package org.exsockets.verbs.soft.arena;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.OwnSegments;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.PeerProcess;

/**
 * A writer enters an arena that its peer has freed, while another thread lets go of it. The writer does not write: it says
 * whether it could. The arena has another user, so that it need not be mapped each time. For stress tests, which take turns
 * in {@link #PLACES} of them: no more may be in use at the same time.
 */
public final class WriterAndFreed {
    private static final int UNKNOWN_KEY = 0;
    private static final int PAGES = 4;
    private static final Doorbell MUTE = OwnSegments.mute();
    private static final WriterAndFreed[] PLACES = places();
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final PeerMappings<MappedArena.Name, MappedArena> mapped = new PeerMappings<>(1);
    private final MappedArena arena;
    private EndpointArenas arenas;

    private WriterAndFreed(int descriptor) throws IOException {
        arena = mapped.keep(MappedArena.open(new PeerProcess.Name(1, 1), descriptor));
    }

    private static WriterAndFreed[] places() {
        WriterAndFreed[] places = new WriterAndFreed[1024];
        try {
            Arena freed = Arena.create(1, (long) PAGES * NativeMemory.pageBytes(), false);
            for (int i = 0; i < places.length; i++) {
                places[i] = new WriterAndFreed(freed.descriptor);
            }
            freed.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return places;
    }

    /** {@return a connection that reaches an arena} */
    public static WriterAndFreed next() {
        WriterAndFreed next = PLACES[Math.floorMod(NEXT.getAndIncrement(), PLACES.length)];
        next.reach();
        return next;
    }

    private void reach() {
        arenas = new EndpointArenas(null, mapped, null, null, MUTE);
        mapped.retain(arena);
        arenas.arrive(arena);
        arenas.reach(NativeMemory.pageBytes(), arena.key(), 1);
    }

    /** The writer. {@return whether what it finds is used by the connection as long as the writer is within} */
    public boolean enter() {
        MappedArena found = arenas.enter(arena.key());
        boolean isUsed = found == null || OwnSegments.users(mapped, found) == 2;
        arenas.leave();
        return isUsed;
    }

    /** The thread that handles ADVERTs looks for another arena, and so at all of them. */
    public void lookForAnother() {
        arenas.reach(0, UNKNOWN_KEY, 1);
    }

    /** The last user. {@return whether the connection uses nothing any more} */
    public boolean release() {
        arenas.release();
        return OwnSegments.users(mapped, arena) == 1;
    }
}
