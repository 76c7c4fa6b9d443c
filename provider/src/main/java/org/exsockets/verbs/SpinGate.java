package org.exsockets.verbs;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Mutual exclusion for sections that are short as a rule and never wait for the peer: a waiting thread spins, then
 * yields.
 *
 * <p>Cheaper than a lock that parks: losing the race costs nanoseconds, not a wake-up. Most sections are a few
 * instructions. The poller's of a connection is longer where it maps memory of the peer, or registers memory with an
 * adapter: for up to milliseconds other threads yield, or, where they only try, leave the work to the poller.
 */
public final class SpinGate {
    private static final int SPINS_BEFORE_YIELD = 200;

    /** 1 while a thread is inside. An updater needs no further object, and is short before it is compiled. */
    private volatile int held;

    private static final AtomicIntegerFieldUpdater<SpinGate> HELD =
            AtomicIntegerFieldUpdater.newUpdater(SpinGate.class, "held");

    public void enter() {
        int spins = 0;
        while (!tryEnter()) {
            if (++spins > SPINS_BEFORE_YIELD) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** {@return whether the gate was free; then {@link #exit} must follow} */
    public boolean tryEnter() {
        return held == 0 && HELD.compareAndSet(this, 0, 1);
    }

    public void exit() {
        HELD.lazySet(this, 0);
    }
}
