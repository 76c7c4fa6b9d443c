package org.exsockets.verbs;

import org.jspecify.annotations.Nullable;

/** Completions of one queue pair: of its receives, in order, and behind those that are there of its first failure. */
public interface CompletionQueue {
    /** {@return whether {@link #poll} would find nothing} Cheap; any thread, at any time. */
    boolean isEmpty();

    /**
     * Takes in what the device has completed by now, of a device that tells only when it is asked; of others nothing is
     * to be done. A call of the device; any thread.
     */
    default void look() {}

    /** {@return as the opposite of {@link #isEmpty}, without asking the device: of what looks have found} Any thread. */
    boolean hasFound();

    /**
     * Takes one completion, of those that were there at the latest {@link #look} or {@link #isEmpty}. One thread at a
     * time.
     *
     * @return whether {@code into} was filled
     */
    boolean poll(WorkCompletion into);

    /** {@return how many completions have been taken; a value from some time ago to other threads than the poller} */
    default long taken() {
        return 0;
    }

    /**
     * Asks for one event on the completion channel when the next completion arrives (ibv_req_notify_cq). Completions
     * already there give no event: the caller polls once more after arming. Any thread.
     */
    void requestNotification();

    /** {@return whether {@link #show} shows signs, and so wakes threads that sleep on a sign's word} */
    default boolean showsSigns() {
        return false;
    }

    /** {@return a sign for this queue and others of the device, to be closed by the caller; null if there are none} */
    default @Nullable SleepSign openSleepSign() {
        return null;
    }

    /**
     * The poller: shows the peer a sign. While the sign says asleep, a completion wakes the sign's thread, besides
     * giving the event that {@link #requestNotification} asks for. Only one sign is shown at a time: the first.
     *
     * @param cell of the sign: the peer sets it when it disconnects, before it wakes a thread
     * @param sets whether the peer also sets the cell for each completion. Completions already there set nothing:
     *     the caller polls once more, as after {@link #requestNotification}
     * @return whether this sign is shown
     */
    default boolean show(SleepSign sign, int cell, boolean sets) {
        return false;
    }

    /** Ends {@link #show}, if this sign is shown. Any thread. */
    default void hide(SleepSign sign) {}
}
