package org.exsockets.verbs;

/**
 * What a thread that polls many completion queues shows all their peers at once: whether it sleeps. Who has a completion for a
 * queue on which the sign is shown ({@link CompletionQueue#show}) looks at it, and gives an event on that queue's channel only
 * if it says asleep, and only one in each sleep: whoever is woken looks at all the queues.
 *
 * <p>Belongs to the thread that polls.
 */
public interface SleepSign {
    /**
     * Says that the thread is about to sleep. Completions already there give no event: the caller polls once more.
     *
     * @return false if nobody can be told; the caller asks each queue for a notification then
     */
    boolean asleep();

    /** Says that the thread is awake, and about to poll: what has come during the sleep may have given no event of its own. */
    void awake();

    /** Nobody looks at it any more: it is hidden everywhere. */
    void close();
}
