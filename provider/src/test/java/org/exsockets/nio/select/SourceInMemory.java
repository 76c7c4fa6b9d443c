package org.exsockets.nio.select;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** A source whose readiness lies in memory: nothing of it is registered with the inner selector. */
interface SourceInMemory extends KeySource {
    @Override
    default void update(Selector inner, ExsKey key) {}

    @Override
    default int onInnerReady(SelectionKey innerKey) {
        return 0;
    }

    @Override
    default boolean showsInInner() {
        return false;
    }

    @Override
    default boolean polled() {
        return true;
    }

    @Override
    default void arm() {}

    @Override
    default void cancelInner() {}

    @Override
    default void detached() {}
}
