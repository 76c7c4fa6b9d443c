package org.exsockets.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.SleepSign;

/**
 * Where a key's readiness comes from. Called by the selecting thread only, except {@link #cancelInner}, which is for any
 * thread.
 *
 * <p>A source has registrations with the selector's inner JDK selector; their attachment is the {@link ExsKey}.
 */
interface KeySource {
    /** Registers with the inner selector, or brings the registrations in line with what the key is selected for. */
    void update(Selector inner, ExsKey key);

    /** {@return ready operations of an inner key that was selected, as operations of ours; may take events} */
    int onInnerReady(SelectionKey innerKey);

    /** {@return whether the readiness itself shows in the inner selector, not only a hint to poll} */
    boolean showsInInner();

    /** {@return whether the source has a memory side that must be polled} */
    boolean polled();

    /** {@return operations of {@code interest} that are ready, found by looking at memory} */
    int poll(int interest);

    /**
     * {@return what is ready of a channel that is connected, which {@code finishConnect} has not said yet} To the JDK there is
     * room, so selections for writing end, but without that key: it is found ready for what it has no interest in.
     */
    static int connected(int interest) {
        return (interest & (SelectionKey.OP_CONNECT | SelectionKey.OP_WRITE)) == 0 ? 0 : SelectionKey.OP_CONNECT;
    }

    /**
     * {@return whether what is ready takes the place of what the key was ready for before, instead of adding to it: the JDK
     * reports a channel that has failed, or that is not connected, as ready for all of its interest and no more}
     */
    default boolean replacesReady() {
        return false;
    }

    /** {@return whether a look would pay; must be as cheap as a load or two} */
    boolean hasNews();

    /** Makes ready for what will be news soon; for a thread that spins. */
    default void anticipate() {}

    /** Asks for a wake-up through the inner selector at the next event; the caller polls once more. */
    void arm();

    /** {@return as {@link CompletionQueue#openSleepSign}} */
    default SleepSign openSleepSign() {
        return null;
    }

    /** {@return as {@link CompletionQueue#show}; the caller polls once more} */
    default boolean show(SleepSign sign, int cell, boolean marks) {
        return false;
    }

    /** {@return whether the key is signalled to the selector when there is news, so that no sign need be shown} */
    default boolean signals() {
        return false;
    }

    /** {@code sign} is shown no more. */
    default void hide(SleepSign sign) {}

    /** The cell was marked: the caller polls. */
    default void onMarked() {}

    /**
     * {@return whether who sleeps on the word of a sign that is shown learns of all that comes, except what {@link #watch} tells} So nothing need
     * be registered with the inner selector, unless the readiness {@linkplain #showsInInner shows} there. Asked once.
     */
    default boolean wakesOnWord() {
        return false;
    }

    /** Until {@link #watch}: looks for what neither memory nor the word tells, without waiting. {@return whether there is news} */
    default boolean lookUnwatched() {
        return false;
    }

    /**
     * From now on the background thread tells of what the word does not: the peer's death; that the readiness may show in the inner selector,
     * once, so that this is called before each sleep.
     *
     * @throws IOException if there is no such thread
     */
    default void watch() throws IOException {}

    /** {@return what it costs to sleep on this source instead of polling it, in nanoseconds; 0 if it cannot be polled} */
    default long wakeUpNs() {
        return 0;
    }

    /** Cancels the inner registrations. */
    void cancelInner();

    /** The key is gone for good; the inner registrations have been flushed. */
    void detached();
}
