package org.exsockets.socket;

/** What reads and writes return besides a number of bytes. All are negative. */
public final class Outcome {
    /** End of stream, as in the JDK. */
    public static final int END_OF_STREAM = -1;

    /** Nothing to be done now, and the call was not to wait. */
    public static final int WOULD_BLOCK = -2;

    /** The connection was closed by this side during the call. */
    public static final int CLOSED = -3;

    /** The time is over. */
    public static final int TIMED_OUT = -4;

    /** The thread was interrupted, and the caller asked to be told. */
    public static final int INTERRUPTED = -5;

    /** This side's output was shut down before or during the call. */
    public static final int OUTPUT_SHUT = -6;

    /** The connection was closed by this side before it was the call's turn: channels tell that from {@link #CLOSED}. */
    public static final int CLOSED_BEFORE = -7;

    private Outcome() {}
}
