package org.exsockets.verbs.disni;

import java.util.function.LongSupplier;

/**
 * Whether an upper layer waits for a peer without room, so that the peer has to be asked for a sign of life. Its counter is
 * that of the writes posted: as long as it stands still, the upper layer still waits. Any thread.
 */
final class PeerProbe {
    /** Writes posted when the upper layer last found no room. */
    private volatile long starvedAt;

    /** Whether the device's thread has been asked to probe. */
    private volatile boolean starving;

    /** The upper layer has found no room. {@return whether the device's thread is to be asked to probe from time to time} */
    boolean await(long writes) {
        starvedAt = writes;
        if (starving) {
            return false;
        }
        starving = true;
        return true;
    }

    /** {@return whether nothing has been written since; device thread} */
    boolean isDue(long writes) {
        return starvedAt == writes;
    }

    /**
     * Something has been written. Device thread. Whoever finds no room from now on asks again; whoever has just done so, and has
     * still seen it asked, has stored its counter before: so the counter that is compared must be read after this, by
     * {@code writes}.
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
