package org.exsockets.verbs;

/** Completions of one queue pair's sends and receives, in order. */
public interface CompletionQueue {
    /** {@return whether {@link #poll} would find nothing; a cheap look that any thread may take at any time} */
    boolean isEmpty();

    /**
     * Has what the peer is just writing, and has not announced, fetched into this core's caches, if the device knows of it. For
     * threads that find {@link #isEmpty} again and again and have nothing else to do; any of them, at any time.
     */
    default void anticipate() {}

    /**
     * Takes one completion. One thread at a time.
     *
     * @return whether {@code into} was filled
     */
    boolean poll(WorkCompletion into);

    /**
     * Asks for one event on the completion channel when the next completion arrives (ibv_req_notify_cq). Completions
     * already there give no event: the caller polls once more after arming. Any thread.
     */
    void requestNotification();

    /** {@return a sign for this queue and others of the device, to be closed by the caller; null if there are none} */
    default SleepSign openSleepSign() {
        return null;
    }

    /**
     * Shows the peer a sign: while it says asleep, a completion wakes who shows it, besides giving the event that {@link
     * #requestNotification} asks for. One sign at a time: the one that was shown first. The thread that polls.
     *
     * @param cell of the sign: marked by the peer when it disconnects, before it wakes anybody
     * @param marks whether the peer marks it for each completion, too. Completions already there mark nothing: the caller polls
     *     once more, as after {@link #requestNotification}
     * @return whether this sign is shown
     */
    default boolean show(SleepSign sign, int cell, boolean marks) {
        return false;
    }

    /** Ends {@link #show}, if this sign is shown. Any thread. */
    default void hide(SleepSign sign) {}
}
