package org.exsockets.verbs.disni;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers, roughly, which memory has been used lately: registering costs more than it saves for memory that is used
 * once. A slot holds what used it last, so two that share one may be forgotten; nothing is remembered that was not.
 * Thread-safe.
 */
final class FirstUses {
    private static final int SLOTS = 512;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final int SLOT_SHIFT = Long.SIZE - 9;

    /** Distinguishes memory that cannot be registered from memory that was used once. */
    private static final long REFUSED = 1L << 62;

    private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

    /** {@return where a use is remembered; for tests} */
    static int slot(long use) {
        return (int) (use * MIX >>> SLOT_SHIFT);
    }

    /** {@return what stands for memory at {@code address} used with those whom {@code hostHash} stands for} */
    static long use(long address, int hostHash) {
        long use = (address ^ (long) hostHash * MIX) & REFUSED - 1;
        return use == 0 ? 1 : use;
    }

    /** {@return whether this is not the first time} Counts as one. */
    boolean again(long use) {
        int slot = slot(use);
        long last = slots.get(slot);
        if (last == use) {
            return true;
        }
        if (last != (use | REFUSED)) {
            slots.set(slot, use);
        }
        return false;
    }

    /** {@return whether this memory is known to be one that cannot be registered} */
    boolean isRefused(long use) {
        return slots.get(slot(use)) == (use | REFUSED);
    }

    /** It has turned out that this memory cannot be registered: it is never used again, as long as that is remembered. */
    void refuse(long use) {
        slots.set(slot(use), use | REFUSED);
    }
}
