package org.exsockets.connection.life;

import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.exsockets.connection.Close;

/**
 * The state of a connection, in one word: what has ended at either end and how, what was reported, and how many threads
 * without a lock use the memory. A change is a {@link Step}, taken or refused as a whole: if two threads try the same
 * step, one takes it. A bit that is set stays set; only pins are taken back.
 *
 * <table>
 * <caption>Steps</caption>
 * <tr><th>step</th><th>needs</th><th>refused where</th><th>sets</th></tr>
 * <tr><td>SHUT_INPUT</td><td></td><td>INPUT_SHUT</td><td>INPUT_SHUT</td></tr>
 * <tr><td>SHUT_OUTPUT</td><td></td><td>OUTPUT_SHUT</td><td>OUTPUT_SHUT</td></tr>
 * <tr><td>PEER_ENDS</td><td></td><td>PEER_ENDED, PEER_RESET</td><td>PEER_ENDED</td></tr>
 * <tr><td>PEER_RESETS</td><td></td><td>PEER_ENDED, PEER_RESET</td><td>PEER_RESET</td></tr>
 * <tr><td>FAIL</td><td></td><td>PEER_RESET</td><td>PEER_RESET</td></tr>
 * <tr><td>WRITE_TO_NOBODY</td><td></td><td>WRITTEN_TO_NOBODY</td><td>WRITTEN_TO_NOBODY</td></tr>
 * <tr><td>TELL_RESET</td><td></td><td>RESET_TOLD</td><td>RESET_TOLD</td></tr>
 * <tr><td>TELL_READER</td><td></td><td>RESET_TOLD</td><td>RESET_TOLD, RESET_READ</td></tr>
 * <tr><td>INTERRUPT</td><td></td><td>INTERRUPTED</td><td>INTERRUPTED</td></tr>
 * <tr><td>CLOSE</td><td></td><td>CLOSED</td><td>CLOSED</td></tr>
 * <tr><td>CLOSE_OUTPUT_FIRST</td><td></td><td>CLOSED</td><td>CLOSED, OUTPUT_FIRST</td></tr>
 * <tr><td>ABORT</td><td></td><td>CLOSED</td><td>CLOSED, ABORTED</td></tr>
 * <tr><td>END_WITH_JVM</td><td></td><td>JVM_ENDS</td><td>JVM_ENDS, OUTPUT_SHUT</td></tr>
 * <tr><td>LOSE_CHANNEL</td><td></td><td>CHANNEL_LOST</td><td>CHANNEL_LOST</td></tr>
 * <tr><td>DISCONNECT</td><td></td><td>DISCONNECTED</td><td>DISCONNECTED</td></tr>
 * <tr><td>RELEASE</td><td>CLOSED, DISCONNECTED</td><td>RELEASED, a pin</td><td>RELEASED</td></tr>
 * <tr><td>{@link #pin}</td><td></td><td>RELEASED</td><td>one pin more</td></tr>
 * <tr><td>{@link #unpin}</td><td>a pin</td><td></td><td>one pin less</td></tr>
 * </table>
 *
 * <p>Any thread. An answer holds for the moment of the call. Where two answers must be of one moment, one method gives
 * both.
 */
public final class Life {
    private static final int INPUT_SHUT = 1;
    private static final int OUTPUT_SHUT = 1 << 1;

    /** The peer has closed in order. Set after its last arrival has been handled, as is {@link #PEER_RESET}. */
    private static final int PEER_ENDED = 1 << 2;

    /** The connection was reset, or has failed; together with {@link #PEER_ENDED}: after the peer's end. */
    private static final int PEER_RESET = 1 << 3;

    /** Bytes were written that the peer, which has closed, did not get: over TCP the answer is a reset. */
    private static final int WRITTEN_TO_NOBODY = 1 << 4;

    /**
     * The reset was reported to a reader or a writer, once, as by TCP. From then on writers get "Broken pipe", and
     * readers the end of the stream.
     */
    private static final int RESET_TOLD = 1 << 5;

    /** It was reported to a reader: the JDK's readers report it again. */
    private static final int RESET_READ = 1 << 6;

    /**
     * A call was interrupted, and its owner closes as soon as the call has left. A call that gets its turn in between
     * finds the owner closed, as if the interrupt had closed it. Set under one of the locks, before the other call can
     * get it.
     */
    private static final int INTERRUPTED = 1 << 7;

    /** The program has closed; what it wrote may still be under way. */
    private static final int CLOSED = 1 << 8;

    /** It was closed with {@link Close#OUTPUT_FIRST}. */
    private static final int OUTPUT_FIRST = 1 << 9;

    /** It was closed with a reset, and the output does not end before. */
    private static final int ABORTED = 1 << 10;

    /** The JVM ends: writers stay in their calls. */
    private static final int JVM_ENDS = 1 << 11;

    /** The background thread has seen the completion channel end. */
    private static final int CHANNEL_LOST = 1 << 12;

    /** This end has disconnected, and has told the peer; nothing is posted any more. */
    private static final int DISCONNECTED = 1 << 13;

    /** The memory is released. */
    private static final int RELEASED = 1 << 14;

    /**
     * One thread, or selector, that uses the memory without a lock. There is room for 131,071: selectors are limited by
     * descriptors, threads by processors.
     */
    private static final int PIN = 1 << 15;

    private static final int PINS = -PIN;

    private static final int PEER_OVER = PEER_ENDED | PEER_RESET;

    /** What can happen to a connection; the table above lists it. */
    public enum Step {
        SHUT_INPUT(0, INPUT_SHUT, INPUT_SHUT),
        SHUT_OUTPUT(0, OUTPUT_SHUT, OUTPUT_SHUT),
        PEER_ENDS(0, PEER_OVER, PEER_ENDED),
        PEER_RESETS(0, PEER_OVER, PEER_RESET),
        FAIL(0, PEER_RESET, PEER_RESET),
        WRITE_TO_NOBODY(0, WRITTEN_TO_NOBODY, WRITTEN_TO_NOBODY),
        TELL_RESET(0, RESET_TOLD, RESET_TOLD),
        TELL_READER(0, RESET_TOLD, RESET_TOLD | RESET_READ),
        INTERRUPT(0, INTERRUPTED, INTERRUPTED),
        CLOSE(0, CLOSED, CLOSED),
        CLOSE_OUTPUT_FIRST(0, CLOSED, CLOSED | OUTPUT_FIRST),
        ABORT(0, CLOSED, CLOSED | ABORTED),
        END_WITH_JVM(0, JVM_ENDS, JVM_ENDS | OUTPUT_SHUT),
        LOSE_CHANNEL(0, CHANNEL_LOST, CHANNEL_LOST),
        DISCONNECT(0, DISCONNECTED, DISCONNECTED),
        RELEASE(CLOSED | DISCONNECTED, RELEASED | PINS, RELEASED);

        private final int needs;
        private final int refusedWhere;
        private final int sets;

        Step(int needs, int refusedWhere, int sets) {
            this.needs = needs;
            this.refusedWhere = refusedWhere;
            this.sets = sets;
        }
    }

    /** Names of the bits, from the lowest. */
    private static final String[] NAMES = {
        "INPUT_SHUT",
        "OUTPUT_SHUT",
        "PEER_ENDED",
        "PEER_RESET",
        "WRITTEN_TO_NOBODY",
        "RESET_TOLD",
        "RESET_READ",
        "INTERRUPTED",
        "CLOSED",
        "OUTPUT_FIRST",
        "ABORTED",
        "JVM_ENDS",
        "CHANNEL_LOST",
        "DISCONNECTED",
        "RELEASED"
    };

    private static final AtomicIntegerFieldUpdater<Life> WORD =
            AtomicIntegerFieldUpdater.newUpdater(Life.class, "word");

    private volatile int word;

    /** {@return whether this call has taken the step; otherwise nothing has changed} */
    public boolean go(Step step) {
        while (true) {
            int now = word;
            if ((now & step.needs) != step.needs || (now & step.refusedWhere) != 0) {
                return false;
            }
            if (WORD.compareAndSet(this, now, now | step.sets)) {
                return true;
            }
        }
    }

    /** Keeps the memory until {@link #unpin}. {@return false if it is released} */
    public boolean pin() {
        while (true) {
            int now = word;
            if ((now & RELEASED) != 0) {
                return false;
            }
            if (WORD.compareAndSet(this, now, now + PIN)) {
                return true;
            }
        }
    }

    /** Follows a {@link #pin} that succeeded. {@return whether no pin is left} */
    public boolean unpin() {
        return (WORD.addAndGet(this, -PIN) & PINS) == 0;
    }

    /** {@return whether this end has shut its input; reads return end of stream} */
    public boolean isInputShut() {
        return (word & INPUT_SHUT) != 0;
    }

    /** {@return whether this end has shut its output; writes fail} */
    public boolean isOutputShut() {
        return (word & OUTPUT_SHUT) != 0;
    }

    /** {@return whether the peer has ended or reset the connection} */
    public boolean isPeerOver() {
        return (word & PEER_OVER) != 0;
    }

    /** {@return whether the connection has been reset, by either end or a fault} */
    public boolean isReset() {
        return (word & PEER_RESET) != 0;
    }

    boolean isWrittenToNobody() {
        return (word & WRITTEN_TO_NOBODY) != 0;
    }

    /** {@return whether a read has told the program of the reset} */
    public boolean isResetRead() {
        return (word & RESET_READ) != 0;
    }

    /** {@return whether this end has closed} */
    public boolean isClosed() {
        return (word & CLOSED) != 0;
    }

    /** {@return whether a call that has just got its turn finds the connection closed} */
    public boolean isClosedBefore() {
        return (word & (CLOSED | INTERRUPTED)) != 0;
    }

    /** {@return whether this end has neither closed the connection nor shut its input} */
    public boolean takesReads() {
        return (word & (CLOSED | INPUT_SHUT)) == 0;
    }

    /** {@return whether a write is still possible} */
    public boolean takesWrites() {
        return (word & (CLOSED | OUTPUT_SHUT | PEER_OVER)) == 0;
    }

    /** {@return whether the program has shut its output, or closed} */
    public boolean isOutputOver() {
        return (word & (CLOSED | OUTPUT_SHUT)) != 0;
    }

    /** {@return whether this end has closed, or the peer has ended or reset the connection} */
    public boolean isClosedOrPeerOver() {
        return (word & (CLOSED | PEER_OVER)) != 0;
    }

    /** {@return whether this end has closed, and its output ends before the rest of the close} */
    public boolean isOutputFirst() {
        return (word & OUTPUT_FIRST) != 0;
    }

    /** {@return whether this end has closed by a reset, without an end of its output} */
    public boolean isAborted() {
        return (word & ABORTED) != 0;
    }

    /** {@return whether the JVM ends} */
    public boolean endsWithJvm() {
        return (word & JVM_ENDS) != 0;
    }

    boolean isChannelLost() {
        return (word & CHANNEL_LOST) != 0;
    }

    /** {@return whether this end has told the device that it is over} */
    public boolean isDisconnected() {
        return (word & DISCONNECTED) != 0;
    }

    /**
     * {@return whether nothing moves any more: the peer has ended or reset the connection, or this end has
     * disconnected}
     */
    public boolean isHungUp() {
        return (word & (PEER_OVER | DISCONNECTED)) != 0;
    }

    /** {@return whether the connection is lost: no more bytes can come, only an end of the stream} */
    public boolean isLost() {
        return (word & (PEER_RESET | DISCONNECTED)) != 0;
    }

    /** {@return whether {@link Step#RELEASE} would be taken} */
    public boolean isUnused() {
        return (word & (CLOSED | DISCONNECTED | RELEASED | PINS)) == (CLOSED | DISCONNECTED);
    }

    /** {@return whether the memory has been given back} */
    public boolean isReleased() {
        return (word & RELEASED) != 0;
    }

    /** {@return what is set, by the names of the table, and the pins: {@code [CLOSED, DISCONNECTED] pins=1}} */
    @Override
    public String toString() {
        int now = word;
        StringJoiner set = new StringJoiner(", ", "[", "] pins=" + (now >>> Integer.numberOfTrailingZeros(PIN)));
        for (int bit = 0; bit < NAMES.length; bit++) {
            if ((now & 1 << bit) != 0) {
                set.add(NAMES[bit]);
            }
        }
        return set.toString();
    }
}
