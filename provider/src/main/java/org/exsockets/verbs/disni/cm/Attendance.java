package org.exsockets.verbs.disni.cm;

import java.util.function.LongSupplier;

/**
 * Looks, some time after an event of a connection's CQ, whether somebody has handled what has come ({@link
 * org.exsockets.verbs.Endpoint#attend}). By then a program at work has, and has asked for the next event itself when it
 * went to sleep: so a message that wakes it costs no more than that. The device thread's.
 */
final class Attendance {
    static final long GRACE_NS = 2_000_000;

    private final Runnable arm;
    private final Runnable attendant;
    private final LongSupplier clockNs;
    private boolean begun;
    private boolean ended;
    private long dueNs;

    /** @param arm has the next solicited message make an event */
    Attendance(Runnable arm, Runnable attendant, LongSupplier clockNs) {
        this.arm = arm;
        this.attendant = attendant;
        this.clockNs = clockNs;
    }

    /** An event has come. {@return whether {@link #run} is to follow, when nothing of the grace is left} */
    boolean begin() {
        if (begun) {
            return false;
        }
        begun = true;
        dueNs = clockNs.getAsLong() + GRACE_NS;
        return true;
    }

    long leftNs() {
        return dueNs - clockNs.getAsLong();
    }

    void run() {
        begun = false;
        if (!ended) {
            arm.run(); // Before the look: what comes from now on makes the next event.
            attendant.run();
        }
    }

    /** The CQ is about to be destroyed. */
    void end() {
        ended = true;
    }
}
