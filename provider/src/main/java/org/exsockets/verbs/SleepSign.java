package org.exsockets.verbs;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows all peers of a thread that polls many completion queues whether that thread sleeps. A peer that has a
 * completion for a queue on which the sign is shown ({@link CompletionQueue#show}) reads it. The peer wakes the thread
 * only if the sign says asleep, and only once in each sleep, because the woken thread polls all the queues.
 *
 * <p>The sign has cells, one for each queue, which peers set, so that the thread need not poll quiet queues.
 *
 * <p>Belongs to the thread that polls, except {@link #word}.
 */
public interface SleepSign {
    /** Where the thread sleeps. */
    enum Place {
        /** On the completion channels: it is woken by an event on that of a queue with a completion. */
        CHANNELS,

        /** On {@link #word}, which wakes it at disconnects, too, but not when a peer is killed. */
        WORD
    }

    /**
     * Says that the thread is about to sleep. Completions already there cause no wake-up: the caller polls once more.
     *
     * @return false if peers cannot be told, or the kernel has refused a sleep on the word; then the caller asks each
     *     queue for a notification
     */
    boolean asleep(Place place);

    /** Says that the thread is awake and about to poll: completions during its sleep may have given no events. */
    void awake();

    /** {@return the word to sleep on, armed by {@link #asleep}; null if this process has none. Any thread} */
    @Nullable
    WakeWord word();

    /** {@return a cell that no other queue has, ≥ 0, as small as possible; −1 if there is none left} */
    int openCell();

    /** Gives back a cell that is not shown any more. A late peer may still set it for its next user. */
    void closeCell(int cell);

    /** {@return whether cells may have been set; costs one load} */
    boolean hasNews();

    /** Clears the set cells, and passes each to {@code cells}. The caller polls their queues afterwards. */
    void takeNews(IntConsumer cells);

    /** Gives the sign back. It is hidden everywhere before. */
    void close();
}
