package org.exsockets.verbs.disni.data;

import java.util.function.LongSupplier;

/**
 * Whether the upper layer waits for a peer that has no room, so that the peer must be probed. The upper layer still
 * waits as long as the count of posted writes stays the same. Any thread.
 */
final class PeerProbe {
    /** Writes posted when the upper layer last found no room. */
    private volatile long starvedAt;

    /** Whether the device's thread has been asked to probe. */
    private volatile boolean starving;

    /** The upper layer has found no room. {@return whether to ask the device's thread to probe from time to time} */
    boolean await(long writes) {
        starvedAt = writes;
        if (starving) {
            return false;
        }
        starving = true;
        return true;
    }

    /** Device thread. {@return whether nothing has been written since} */
    boolean isDue(long writes) {
        return starvedAt == writes;
    }

    /**
     * Device thread: something has been written. A thread that finds no room from now on asks for probes again. A
     * thread that has just found {@link #starving} still set has stored its count before; so the count to compare must
     * be read after this, by {@code writes}.
     *
     * @return whether the upper layer waits again, as far as can be told
     */
    boolean starvesAgain(LongSupplier writes) {
        starving = false;
        boolean again = starvedAt == writes.getAsLong();
        if (again) {
            starving = true;
        }
        return again;
    }
}
