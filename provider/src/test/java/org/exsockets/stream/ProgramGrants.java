package org.exsockets.stream;

import static org.exsockets.stream.FakeEndpoint.check;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.exsockets.verbs.ProgramMemory;

/**
 * Memory that a program lends to a connection, one grant for each receive. Strict: a write to memory that was given back, or
 * beyond what was advertised, is an {@link AssertionError} at once.
 */
public final class ProgramGrants {
    private static final int FIRST_KEY = 1_000_000;
    private static final int MEMORY_BYTES = 256;
    private static final long ADDRESS_STEP = 1 << 12;

    /** Grants that are over are remembered for so many later ones. */
    private static final int REMEMBERED = 512;

    private final Map<Integer, Grant> grants = new HashMap<>();

    /** Those that are lent. */
    private final Map<ByteBuffer, Grant> lent = new IdentityHashMap<>();

    private final List<ByteBuffer> spare = new ArrayList<>();
    private int nextKey = FIRST_KEY;

    /** What the next ADVERTs find. */
    private boolean reachable = true;

    /** What {@link #detach} finds. */
    private boolean detachable = true;

    /** One receive's memory. */
    public static final class Grant implements ProgramMemory {
        private final int key;
        private final ByteBuffer memory;
        private boolean lent = true;

        /** Where writes go instead, and from which offset on; null: to the memory. */
        private ByteBuffer detached;

        private int detachedFrom;

        /** How often it was taken and not released. */
        private int taken;

        private Grant(int key, ByteBuffer memory) {
            this.key = key;
            this.memory = memory;
        }

        public ByteBuffer memory() {
            return memory;
        }

        @Override
        public int advertisable(ByteBuffer of, int offset, int length) {
            check(of == memory && lent, "another memory than the one registered");
            if (detached != null) {
                return Math.max(0, Math.min(length, detachedFrom - offset));
            }
            // In some grants the tail cannot be advertised, as a part of a page cannot.
            return key % 4 == 0 ? length & ~7 : length;
        }

        @Override
        public long remoteAddress(ByteBuffer of, int offset) {
            check(of == memory && lent, "another memory than the one registered");
            return key * ADDRESS_STEP + offset;
        }

        @Override
        public int rkey() {
            return key;
        }

        @Override
        public void release() {
            taken--;
        }
    }

    /** From now on the peer can reach what is advertised, or cannot. */
    public void reachable(boolean now) {
        reachable = now;
    }

    /** From now on memory can be taken away from the peer, or cannot. */
    void detachable(boolean now) {
        detachable = now;
    }

    boolean isReachable(int key) {
        check(isKey(key), "ADVERT with a key that was never registered");
        return reachable;
    }

    boolean isKey(int key) {
        return key >= FIRST_KEY;
    }

    public Grant lend() {
        int key = nextKey++;
        Grant old = grants.get(key - REMEMBERED);
        if (old != null && !old.lent) {
            grants.remove(old.key);
        }
        ByteBuffer memory = spare.isEmpty() ? ByteBuffer.allocate(MEMORY_BYTES) : spare.remove(spare.size() - 1);
        Grant grant = new Grant(key, memory);
        grants.put(key, grant);
        lent.put(memory, grant);
        return grant;
    }

    /** {@return what was lent with this memory, to be released; null if it is not lent} */
    Grant take(ByteBuffer memory) {
        Grant grant = lent.get(memory);
        if (grant != null) {
            grant.taken++;
        }
        return grant;
    }

    /** The connection has given the memory back: from now on nothing may be written there. */
    public void giveBack(Grant grant) {
        check(grant.taken <= 0, "given back with its registration in use");
        grant.lent = false;
        lent.remove(grant.memory);
        spare.add(grant.memory);
    }

    void place(byte[] bytes, long address, int key) {
        Grant grant = grants.get(key);
        check(grant != null, "write to memory that was given back long ago");
        int offset = (int) (address - key * ADDRESS_STEP);
        if (grant.detached != null && offset >= grant.detachedFrom) {
            grant.detached.put(offset - grant.detachedFrom, bytes);
            return;
        }
        check(grant.lent, "write to memory that was given back");
        grant.memory.put(offset, bytes);
    }

    ByteBuffer detach(ByteBuffer memory, int offset, int length) {
        if (!detachable) {
            return null;
        }
        Grant grant = lent.get(memory);
        check(grant != null, "detached what is not lent");
        ByteBuffer kept = ByteBuffer.allocate(length);
        kept.put(0, memory, offset, length);
        grant.detached = kept;
        grant.detachedFrom = offset;
        return kept;
    }
}
