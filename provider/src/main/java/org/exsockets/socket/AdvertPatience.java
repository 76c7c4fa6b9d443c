package org.exsockets.socket;

import org.exsockets.progress.Backoff;
import org.exsockets.stream.StreamEngine;

/**
 * Whether a large write that finds no ADVERT waits a little for one, instead of going through the hidden buffer at once.
 *
 * <p>A writer that is ahead for a moment would stay ahead: its bytes go to the hidden buffer, where they must be read before
 * the peer can advertise again, and by then there are more of them. So a writer whose peer has advertised lately, even if
 * too late, waits about as long as the peer takes to read what is there. If no ADVERT comes the next writes do not wait,
 * twice as many each time.
 *
 * <p>Belongs to the writer. Reads no clock as long as the peer has not advertised anything.
 */
final class AdvertPatience {
    /** A peer that waits for bytes advertises so soon after the last ones, with some reserve. */
    static final long TURN_NS = 100_000;

    /** Writes between two waits, at most. */
    static final int MAX_REST = 8;

    /** What is in the hidden buffer is read in a nanosecond per so many bytes, even by a slow copy. */
    private static final int BYTES_PER_NS = 8;

    private final StreamEngine engine;

    private boolean waiting;

    /** When the wait began, by {@link System#nanoTime}, and how long it takes at most; both count if {@link #waiting}. */
    private long sinceNs;

    private long limitNs;

    /** {@link StreamEngine#advertsSeen} when a wait was last in vain: more of them say that the peer waits again. */
    private int seen;

    private final Backoff backoff = new Backoff(MAX_REST);

    AdvertPatience(StreamEngine engine) {
        this.engine = engine;
    }

    /**
     * The write of {@code length} bytes begins, or has waited already.
     *
     * @return whether it is to wait, and ask again soon
     */
    boolean tryWait(int length) {
        if (engine.hasAdverts()) {
            if (waiting) {
                waiting = false;
                backoff.onSuccess();
            }
            return false;
        }
        if (waiting) {
            if (System.nanoTime() - sinceNs < limitNs) {
                return true;
            }
            giveUp();
            return false;
        }
        if (length < DirectReadPolicy.MIN_POSTED_BYTES || engine.advertsSeen() == seen) {
            return false;
        }
        if (backoff.skip()) {
            return false;
        }
        waiting = true;
        sinceNs = System.nanoTime();
        limitNs = TURN_NS + engine.unacknowledgedBytes() / BYTES_PER_NS;
        return true;
    }

    /** ADVERTs are used again that were left alone: the next large write waits until the peer has caught up. */
    void again() {
        seen = engine.advertsSeen() - 1;
        backoff.reset();
    }

    /** If there is a wait it is over, and was in vain. */
    void giveUp() {
        if (waiting) {
            waiting = false;
            seen = engine.advertsSeen();
            backoff.onFailure();
        }
    }
}
