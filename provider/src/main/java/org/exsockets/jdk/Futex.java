package org.exsockets.jdk;

import java.nio.ByteBuffer;

/**
 * futex(2): a thread sleeps on a word of memory until a thread of this or of another process that has mapped the same
 * memory wakes it. One system call on either side, and nothing is left that would have to be read afterwards.
 *
 * <p>In the library of {@link DescriptorPoll}; nothing may be called unless that is loaded. Addresses that are not
 * mapped are an error, never a signal.
 */
public final class Futex {
    /** {@link #sleep}: woken, or for no reason, or the word had another value. */
    public static final int WOKEN = 0;

    /** {@link #sleep}: the time is over. */
    public static final int TIMED_OUT = 1;

    private Futex() {}

    /** {@return the address of the first byte of a direct buffer, whatever its position} */
    public static native long address(ByteBuffer direct);

    /**
     * Sleeps while the word has the value, until it is woken or the time is over. Blocks the thread in the kernel; an
     * interrupt does not end it.
     *
     * @param address of an aligned word in native byte order
     * @param timeoutNs nanoseconds ≥ 0
     * @return {@link #WOKEN}, {@link #TIMED_OUT}, or a negative error number
     */
    public static native int sleep(long address, int expected, long timeoutNs);

    /** Wakes one thread that sleeps on the word, if there is one. */
    public static native void wake(long address);
}
