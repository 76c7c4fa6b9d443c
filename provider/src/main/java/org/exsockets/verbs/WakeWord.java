package org.exsockets.verbs;

/**
 * A word of memory on which one thread can sleep instead of on the completion channel. A wake-up is one system call, and
 * there is no event to be taken.
 *
 * <p>Completions and the peer's disconnect end a sleep. A killed peer may not: during a long sleep another thread must
 * watch the channel.
 */
public interface WakeWord {
    /**
     * The thread that sleeps next: asks to be woken at the next completion. Completions already there cause no wake-up:
     * the caller polls once more after arming, as after {@link CompletionQueue#requestNotification}.
     */
    void arm();

    /**
     * Sleeps until a completion or disconnect since {@link #arm}, until {@link #wake}, or until the time has passed.
     * May return for no reason. One thread at a time.
     *
     * @param timeoutNs > 0
     * @return false if the time has passed, or at once if the kernel refuses
     */
    boolean sleep(long timeoutNs);

    /** Ends the present sleep; also one that is about to begin, unless {@link #arm} follows. Any thread. */
    void wake();
}
