package org.exsockets.verbs;

import java.util.function.IntConsumer;

/**
 * What a thread that polls many completion queues shows all their peers at once: whether it sleeps. Who has a completion for a
 * queue on which the sign is shown ({@link CompletionQueue#show}) looks at it, and wakes the thread only if it says asleep, and only
 * once in each sleep: whoever is woken looks at all the queues.
 *
 * <p>The sign has cells, one for each queue, which peers mark: so the thread need not poll the queues from which nothing has come for long.
 *
 * <p>Belongs to the thread that polls, but for {@link #word}.
 */
public interface SleepSign {
    /** Where the thread sleeps. */
    enum Place {
        /** On the completion channels: it is woken by an event on that of a queue with a completion. */
        CHANNELS,

        /** On {@link #word}, which tells of ends, too, but not of a peer's death. */
        WORD
    }

    /**
     * Says that the thread is about to sleep. Completions already there wake nobody: the caller polls once more.
     *
     * @return false if nobody can be told, or the kernel has refused a sleep on the word; the caller asks each queue for a notification
     *     then
     */
    boolean asleep(Place place);

    /** Says that the thread is awake, and about to poll: what has come during the sleep may have given no event of its own. */
    void awake();

    /** {@return the word to sleep on, armed by {@link #asleep}; null: this process cannot. Any thread} */
    WakeWord word();

    /** {@return a cell that no other queue has, ≥ 0, as small as possible; −1 if there is none left} */
    int openCell();

    /** Gives back a cell, which is shown nowhere any more. A peer that is late may mark it for who has it next. */
    void closeCell(int cell);

    /** {@return whether cells may have been marked; a load} */
    boolean hasNews();

    /** Wipes the cells that are marked, and tells which. The caller polls their queues afterwards. */
    void takeNews(IntConsumer marked);

    /** Nobody looks at it any more: it is hidden everywhere. */
    void close();
}
