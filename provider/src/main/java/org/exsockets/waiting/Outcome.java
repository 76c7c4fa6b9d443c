package org.exsockets.waiting;

/** What reads and writes return besides a number of bytes. All are negative. */
public final class Outcome {
    /** End of stream, as in the JDK. */
    public static final int END_OF_STREAM = -1;

    /** Nothing can be done now, and the call does not wait. */
    public static final int WOULD_BLOCK = -2;

    /** The connection was closed by this end during the call. */
    public static final int CLOSED = -3;

    /** The time-out has passed. */
    public static final int TIMED_OUT = -4;

    /** The thread was interrupted, and its wait is interruptible. */
    public static final int INTERRUPTED = -5;

    /** This end's output was shut down before or during the call. */
    public static final int OUTPUT_SHUT = -6;

    /** The connection was closed by this end before the call's turn: channels distinguish that from {@link #CLOSED}. */
    public static final int CLOSED_BEFORE = -7;

    private Outcome() {}
}
