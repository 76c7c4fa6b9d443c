package org.exsockets.compat.fuzz;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** A selector that does not say that a channel can be read. */
final class FaultySelectorEnd extends SelectorEnd {
    FaultySelectorEnd(Selector selector) {
        super(selector);
    }

    @Override
    String ready(SelectionKey key) {
        return Keys.letters(key.readyOps() & ~SelectionKey.OP_READ);
    }
}
