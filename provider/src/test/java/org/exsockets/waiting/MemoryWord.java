package org.exsockets.waiting;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.Futex;
import org.exsockets.memory.Words;
import org.exsockets.verbs.WakeWord;

/** A word whose peer is a test. Any thread. */
final class MemoryWord implements WakeWord {
    private static final int ASLEEP = 1;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
    private final long address;

    /** As a kernel that does not let the process sleep here. */
    volatile boolean refuses;

    /** What it does before it refuses, in the thread that would sleep. */
    volatile Runnable onRefusal = () -> {};

    /** Sleeps that have begun. */
    final AtomicInteger sleeps = new AtomicInteger();

    /** The time-outs of those, in nanoseconds. */
    final List<Long> askedNs = new CopyOnWriteArrayList<>();

    /** Sleeps that ended before their time. */
    final AtomicInteger wokenSleeps = new AtomicInteger();

    MemoryWord() {
        assertTrue(DescriptorPoll.isLoaded(), "the library is there");
        address = Futex.address(memory);
    }

    boolean isArmed() {
        return Words.of(memory).intAcquire(0) == ASLEEP;
    }

    /** As the peer. */
    void ring() {
        Words.storeLoadFence();
        if (isArmed()) {
            wake();
        }
    }

    @Override
    public void arm() {
        Words.of(memory).intRelease(0, ASLEEP);
        Words.storeLoadFence();
    }

    @Override
    public boolean sleep(long timeoutNs) {
        askedNs.add(timeoutNs);
        sleeps.incrementAndGet();
        if (refuses) {
            onRefusal.run();
            return false;
        }
        boolean inTime = Futex.sleep(address, ASLEEP, timeoutNs) == Futex.WOKEN;
        if (inTime) {
            wokenSleeps.incrementAndGet();
        }
        return inTime;
    }

    @Override
    public void wake() {
        Words.of(memory).intRelease(0, 0);
        Futex.wake(address);
    }
}
