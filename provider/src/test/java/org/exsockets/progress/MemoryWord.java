package org.exsockets.progress;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.jdk.Futex;
import org.exsockets.memory.Words;
import org.exsockets.verbs.WakeWord;

/** A word whose peer is a test. Any thread. */
final class MemoryWord implements WakeWord {
    private static final int ASLEEP = 1;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
    private final long address = Futex.address(memory);
    volatile boolean served = true;

    boolean isArmed() {
        return Words.intVolatile(memory, 0) == ASLEEP;
    }

    /** As the peer. */
    void ring() {
        Words.storeLoadFence();
        if (isArmed()) {
            wake();
        }
    }

    @Override
    public boolean isServed() {
        return served;
    }

    @Override
    public void arm() {
        Words.intVolatile(memory, 0, ASLEEP);
        Words.storeLoadFence();
    }

    @Override
    public boolean sleep(long timeoutNs) {
        return Futex.sleep(address, ASLEEP, timeoutNs) != Futex.TIMED_OUT;
    }

    @Override
    public void wake() {
        Words.intRelease(memory, 0, 0);
        Futex.wake(address);
    }
}
