package org.exsockets.verbs.disni;

/**
 * Whether an upper layer waits for a peer without room, so that the peer has to be asked for a sign of life. Its counter is
 * that of the writes posted: as long as it stands still, the upper layer still waits. Any thread.
 */
final class PeerProbe {
    /** Writes posted when the upper layer last found no room. */
    private volatile long starvedAt;

    /** Whether the device's thread has been asked to probe; a lost update costs asking twice. */
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
     * Something has been written.
     *
     * @return whether the upper layer waits again, as far as can be told; device thread
     */
    boolean starvesAgain(long writes) {
        starving = false; // It asks again when it finds no room the next time.
        // Or it has just done so, and has still been seen starving.
        starving = starvedAt == writes;
        return starving;
    }
}
