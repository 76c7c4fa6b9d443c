package org.exsockets.nio.select;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.SleepSign;
import org.jspecify.annotations.Nullable;

/**
 * Where a key's readiness comes from. Called by the selecting thread only, except {@link #cancelInner}, which is for
 * any thread. The defaults are those of a source in memory of which the inner selector knows nothing.
 *
 * <p>Its registrations with the selector's inner JDK selector have the {@link ExsKey} as attachment.
 */
public interface KeySource {
    /** Registers with the inner selector, or changes the registrations to what the key is selected for. */
    default void update(Selector inner, ExsKey key) {}

    /** {@return the outer key's ready operations, for an inner key that was selected; may take events} */
    default int onInnerReady(SelectionKey innerKey) {
        return 0;
    }

    /** {@return whether the readiness itself shows in the inner selector, not only a hint to poll} */
    default boolean showsInInner() {
        return false;
    }

    /** {@return whether the source has memory that must be polled} */
    default boolean polled() {
        return true;
    }

    /** {@return operations of {@code interest} that are ready, found by polling memory} */
    int poll(int interest);

    /**
     * {@return what is ready of a connected channel before {@code finishConnect}} As in the JDK, a selection for
     * writing ends, since there is room, but does not select the key, which is ready only for connecting.
     */
    static int connected(int interest) {
        return (interest & (SelectionKey.OP_CONNECT | SelectionKey.OP_WRITE)) == 0 ? 0 : SelectionKey.OP_CONNECT;
    }

    /**
     * {@return whether what is ready replaces what was ready before, instead of adding to it: the JDK reports a channel
     * that has failed or is not connected as ready for exactly its interest}
     */
    default boolean replacesReady() {
        return false;
    }

    /** {@return whether polling would pay; must be as cheap as a load or two} */
    boolean hasNews();

    /** Asks for a wake-up through the inner selector at the next event; the caller polls once more. */
    default void arm() {}

    /** {@return the result of {@link CompletionQueue#openSleepSign}} */
    default @Nullable SleepSign openSleepSign() {
        return null;
    }

    /** {@return the result of {@link CompletionQueue#show}; the caller polls once more} */
    default boolean show(SleepSign sign, int cell, boolean sets) {
        return false;
    }

    /** {@return whether the key is signalled to the selector when there is news, so that no sign need be shown} */
    default boolean signals() {
        return false;
    }

    default void hide(SleepSign sign) {}

    /** The cell was set: the caller polls. */
    default void onCellSet() {}

    /**
     * {@return whether all news ends a sleep on the word of a shown sign, except what {@link #watch} reports} Then the
     * inner selector is not needed, unless the readiness {@linkplain #showsInInner shows} there. Called once.
     */
    default boolean wakesOnWord() {
        return false;
    }

    /** {@return whether there is news that neither memory nor the word shows} Before {@link #watch}; does not wait. */
    default boolean lookUnwatched() {
        return false;
    }

    /**
     * From now on the background thread reports what the word does not: a killed peer; that the readiness may show in
     * the inner selector. The latter it reports once, so this is called before each sleep.
     *
     * @throws IOException if there is no background thread
     */
    default void watch() throws IOException {}

    /** {@return the cost of sleeping on this source instead of polling it, in nanoseconds; 0 if it cannot be polled} */
    default long wakeUpNs() {
        return 0;
    }

    default void cancelInner() {}

    /** The key no longer uses this source; the inner registrations have been flushed. */
    default void detached() {}
}
