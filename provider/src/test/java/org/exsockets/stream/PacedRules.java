package org.exsockets.stream;

import org.exsockets.stream.link.Rules;

/** The protocol's rules, with a clock that a test sets. */
final class PacedRules extends Rules {
    /** Whether half of a full reserve has taken its reader long. */
    boolean slow;

    @Override
    public boolean isSlow(long ns) {
        return slow;
    }
}
