package org.exsockets.verbs;

/**
 * A word of memory that the peer shares, on which one thread can sleep instead of on the completion channel: whoever has
 * something for it wakes it with one system call, and there is no event to be taken.
 *
 * <p>It tells of completions and of the peer's disconnect, not of the peer's death: somebody must watch the channel for who sleeps
 * here for long.
 */
public interface WakeWord {
    /** {@return whether the peer wakes who sleeps here; may become true, and stays so} Any thread. */
    boolean isServed();

    /**
     * Asks to be woken at the next completion. Completions already there wake nobody: the caller polls once more after
     * arming, as after {@link CompletionQueue#requestNotification}. The thread that sleeps next.
     */
    void arm();

    /**
     * Sleeps until a completion or disconnect since {@link #arm}, {@link #wake}, or the time is over; may return for no
     * reason. One thread at a time.
     *
     * @param timeoutNs > 0
     * @return false if the time is over, or at once if the kernel refuses
     */
    boolean sleep(long timeoutNs);

    /** Ends the present sleep; also one that is about to begin, unless {@link #arm} follows. Any thread. */
    void wake();
}
