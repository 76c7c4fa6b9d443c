package org.exsockets.verbs.disni.memory;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers roughly which memory was used lately, because registering memory that is used once costs more than it
 * saves. A slot holds only its latest use, so two uses that share a slot may be forgotten; only real uses are
 * remembered. Thread-safe.
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

    /** {@return the number that stands for memory at {@code address} used with the host of {@code hostHash}} */
    static long use(long address, int hostHash) {
        long use = (address ^ (long) hostHash * MIX) & REFUSED - 1;
        return use == 0 ? 1 : use;
    }

    /** Counts a use. {@return whether there was one before} */
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

    /** {@return whether this memory is known to be refused} */
    boolean isRefused(long use) {
        return slots.get(slot(use)) == (use | REFUSED);
    }

    /** This memory cannot be registered: that is not tried again, as long as it is remembered. */
    void refuse(long use) {
        slots.set(slot(use), use | REFUSED);
    }
}
