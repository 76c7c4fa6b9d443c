package org.exsockets.waiting;

/**
 * How a call waits.
 *
 * @param timeoutNs longest wait; 0: not at all; {@link #FOREVER}: no limit
 * @param interruptible whether an interrupt of the thread ends the wait
 */
public record Wait(long timeoutNs, boolean interruptible) implements Turn {
    public static final long FOREVER = Long.MAX_VALUE;

    /** Does not wait. */
    public static final Wait NONE = new Wait(0, false);

    /** A channel in blocking mode. */
    public static final Wait INTERRUPTIBLE = new Wait(FOREVER, true);

    /** A {@code java.net} socket without time-out on a platform thread. */
    public static final Wait UNINTERRUPTIBLE = new Wait(FOREVER, false);

    /** {@return a wait of so many milliseconds; 0: no limit, as SO_TIMEOUT has it} */
    public static Wait ofTimeout(int timeoutMs, boolean interruptible) {
        if (timeoutMs == 0) {
            return interruptible ? INTERRUPTIBLE : UNINTERRUPTIBLE;
        }
        return new Wait(timeoutMs * 1_000_000L, interruptible);
    }

    @Override
    public Wait begin() {
        return this;
    }
}
