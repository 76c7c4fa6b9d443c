package org.exsockets.connection.direct;

import org.exsockets.adapt.Backoff;
import org.exsockets.stream.Outgoing;

/**
 * Whether a large write that finds no ADVERT waits a little for one, instead of going through the hidden buffer at
 * once.
 *
 * <p>Without the wait a writer that is ahead for a moment would stay ahead. Its bytes go to the hidden buffer, where
 * they must be read before the peer can advertise again, and by then there are more of them. So if the peer has
 * advertised lately, even if too late, the writer waits about as long as the peer takes to read what is there. If no
 * ADVERT comes, the next writes do not wait, twice as many each time.
 *
 * <p>Belongs to the writer. Reads no clock before the peer has advertised.
 */
public final class AdvertPatience {
    /** A peer that waits for bytes advertises within this time after the last ones, with a margin. */
    static final long ANSWER_NS = 100_000;

    /** Writes between two waits, at most. */
    static final int MAX_REST = 8;

    /** Bytes of the hidden buffer that even a slow copy reads in a nanosecond. */
    private static final int BYTES_PER_NS = 8;

    private final Outgoing outgoing;

    private boolean waiting;

    /**
     * When the wait began, by {@link System#nanoTime}, and how long it takes at most; both count if {@link #waiting}.
     */
    private long sinceNs;

    private long limitNs;

    /** ADVERTs that had been seen when a wait last brought none. If there are more, the peer waits again. */
    private int seen;

    private final Backoff backoff = new Backoff(MAX_REST);

    public AdvertPatience(Outgoing outgoing) {
        this.outgoing = outgoing;
    }

    /**
     * The write of {@code length} bytes begins, or has waited already.
     *
     * @return whether it is to wait, and ask again soon
     */
    public boolean tryWait(int length) {
        if (outgoing.direct.hasAdverts()) {
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
        if (length < DirectReadPolicy.MIN_POSTED_BYTES || outgoing.direct.advertsSeen() == seen || backoff.skip()) {
            return false;
        }
        waiting = true;
        sinceNs = System.nanoTime();
        limitNs = ANSWER_NS + outgoing.unacknowledgedBytes() / BYTES_PER_NS;
        return true;
    }

    /** ADVERTs are used again after they were ignored: the next large write waits until the peer has caught up. */
    public void again() {
        seen = outgoing.direct.advertsSeen() - 1;
        backoff.reset();
    }

    /** Ends the wait, if there is one, as one that brought no ADVERT. */
    public void giveUp() {
        if (waiting) {
            waiting = false;
            seen = outgoing.direct.advertsSeen();
            backoff.onFailure();
        }
    }
}
