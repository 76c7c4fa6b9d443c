package org.exsockets.verbs.soft.arena;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.jdk.Futex;
import org.exsockets.observe.Log;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.DirectAccess.MemoryWindows;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.soft.copy.RegionWriter;
import org.exsockets.verbs.soft.layout.ArenaDescriptor;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.PeerProcess;
import org.exsockets.verbs.soft.shared.Segment;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the programs at both ends of one connection: this end's own, to be advertised, and the peer's, to be
 * written to. An arena is passed to the peer when memory in it is first requested here, before it can be advertised.
 *
 * <p>The thread that takes a descriptor off the socket maps the peer's arena ({@link #onPassed}). The thread that
 * handles an ADVERT adds it ({@link #reach}, one thread at a time). Another thread, the writer, writes to it
 * ({@link #write}). A freed arena is unmapped only while there is no writer. The writer counts itself in
 * {@link #writers} before it looks at {@link #reached}; the thread in {@link #reach} takes a mapping out of
 * {@link #reached} before it looks at {@link #writers}. So one of the two sees the other. A mapping that could not be
 * unmapped waits in {@link #dropped}.
 */
public final class EndpointArenas implements DirectAccess {
    /** Arenas of the peer; transfers to further ones are indirect. */
    static final int MAX_REACHED = 8;

    /** Arenas of this process over one connection: a program that needs more does better with indirect transfers. */
    private static final int MAX_PASSED = 64;

    private static final MappedArena[] NONE = {};
    private static final int[] NO_KEYS = {};

    private final Arenas arenas;
    private final PeerMappings<MappedArena.Name, MappedArena> peers;
    private final Segment segment;
    private final Doorbell doorbell;
    private final Windows windows;
    private final RegionWriter writer = new RegionWriter(false);
    private final AtomicInteger writers = new AtomicInteger();

    /** Keys of own arenas that were passed to the peer. Replaced as a whole, under the monitor. */
    private volatile int[] passed = NO_KEYS;

    /** Arenas of the peer that are mapped, and not yet added. */
    @GuardedBy("this")
    private final List<MappedArena> arrived = new ArrayList<>(0);

    /** Replaced as a whole by the thread in {@link #reach}. */
    private volatile MappedArena[] reached = NONE;

    /** Belongs to the thread in {@link #reach}, finally to the last user. */
    private final List<MappedArena> dropped = new ArrayList<>(0);

    @GuardedBy("this")
    private boolean released;

    /** @param doorbell passes descriptors of arenas to the peer */
    public EndpointArenas(
            Arenas arenas,
            PeerMappings<MappedArena.Name, MappedArena> peers,
            Segment segment,
            Windows windows,
            Doorbell doorbell) {
        this.arenas = arenas;
        this.peers = peers;
        this.segment = segment;
        this.doorbell = doorbell;
        this.windows = windows;
    }

    /** {@return the allocation that the first byte lies in, if its arena can be passed to the peer; or null} */
    @Override
    public @Nullable ProgramMemory lease(ByteBuffer memory, int offset, int length) {
        ArenaAllocation allocation = find(memory, offset);
        return allocation != null && (contains(passed, allocation.rkey()) || pass(allocation)) ? allocation : null;
    }

    @Override
    public MemoryWindows windows() {
        return windows;
    }

    private @Nullable ArenaAllocation find(ByteBuffer memory, int offset) {
        return arenas.count() == 0 || !memory.isDirect() ? null : arenas.find(Futex.address(memory) + offset);
    }

    private static boolean contains(int[] keys, int key) {
        for (int each : keys) {
            if (each == key) {
                return true;
            }
        }
        return false;
    }

    private synchronized boolean pass(ArenaAllocation allocation) {
        int key = allocation.rkey();
        int[] before = passed;
        if (contains(before, key)) {
            return true;
        }
        if (before.length == MAX_PASSED || !doorbell.pass(allocation.descriptor())) {
            return false;
        }
        int[] more = Arrays.copyOf(before, before.length + 1);
        more[before.length] = key;
        passed = more;
        return true;
    }

    /** {@return the old pages, or null} */
    @Override
    public @Nullable ByteBuffer detach(ByteBuffer memory, int offset, int length) {
        ArenaAllocation allocation = find(memory, offset);
        return allocation == null ? null : allocation.detach(memory, offset, length);
    }

    @Override
    public void takeAway(ByteBuffer memory, int offset, int length) {
        ArenaAllocation allocation = find(memory, offset);
        if (allocation != null) { // Other memory is out of the peer's reach anyway.
            allocation.takeAway(memory, offset, length);
        }
    }

    /** Maps what the peer has passed as an arena of its own. {@return whether it is one} Any thread. */
    public boolean onPassed(int descriptor) throws IOException {
        PeerProcess owner = segment.peer();
        if (owner == null) {
            throw new IOException("arena of the peer: nobody knows whose it is");
        }
        MappedArena arena = peers.keep(MappedArena.open(owner.name(), descriptor));
        if (!arrive(arena)) {
            peers.release(arena);
        }
        return true;
    }

    synchronized boolean arrive(MappedArena arena) {
        // A descriptor behind an event comes again when that is taken.
        boolean twice = arrived.contains(arena) || find(arena.key()) == arena;
        return !released && !twice && arrived.size() < MAX_REACHED && arrived.add(arena);
    }

    @Override
    public boolean reach(long address, int key, long lengthBytes) {
        MappedArena arena = find(key);
        if (arena == null && ArenaDescriptor.isKey(key)) {
            doorbell.takePassed();
            add();
            arena = find(key);
        }
        if (arena == null || !arena.contains(Windows.offset(address), lengthBytes)) {
            Log.debug("memory of the peer's program is out of reach: address=" + address + ", key=" + key + ", length="
                    + lengthBytes);
            return false;
        }
        return true;
    }

    private @Nullable MappedArena find(int key) {
        for (MappedArena each : reached) {
            if (each.key() == key) {
                return each;
            }
        }
        return null;
    }

    /** Each is asked once whether it is freed: the peer writes the answer, and may change it at any time. */
    private void add() {
        List<MappedArena> live = new ArrayList<>();
        for (MappedArena each : reached) {
            (each.isFreed() ? dropped : live).add(each);
        }
        synchronized (this) {
            for (MappedArena each : arrived) {
                (live.size() < MAX_REACHED ? live : dropped).add(each);
            }
            arrived.clear();
        }
        reached = live.toArray(NONE);
        if (!dropped.isEmpty() && writers.get() == 0) {
            releaseDropped();
        }
    }

    private void releaseDropped() {
        for (MappedArena each : dropped) {
            peers.release(each);
        }
        dropped.clear();
    }

    /**
     * Copies the payload of a write to the peer's program.
     *
     * @return false if it must not be written there
     */
    public boolean write(ByteBuffer payload, int offset, int length, long address, int key) {
        MappedArena to = enter(key);
        try {
            long at = Windows.offset(address);
            if (to == null || !to.contains(at, length)) {
                return false;
            }
            if (length > 0) {
                writer.put(to.memory(), (int) at, payload, offset, length, RegionWriter.PROGRAMS_BYTES);
            }
            return true;
        } finally {
            leave();
        }
    }

    /** {@return what has this key, which stays mapped until {@link #leave}; null: nothing} {@link #leave} must follow. */
    @Nullable
    MappedArena enter(int key) {
        writers.incrementAndGet();
        return find(key);
    }

    void leave() {
        writers.decrementAndGet();
    }

    /** For the last user. */
    public void release() {
        synchronized (this) {
            released = true;
            dropped.addAll(arrived);
            arrived.clear();
        }
        for (MappedArena each : reached) {
            peers.release(each);
        }
        reached = NONE;
        releaseDropped();
    }
}
