package org.exsockets.verbs.soft;

import java.util.function.IntPredicate;

/**
 * How processes of other users are met.
 *
 * @param allowed which of them may be peers, by unsigned number
 * @param answerNs how long a connect waits for one of them to accept, before it leaves the connection to TCP
 */
record OtherUsers(IntPredicate allowed, long answerNs) {
    /** An acceptor that sleeps answers within 100 µs; one that does not accept just then costs its client no more than this. */
    private static final long ANSWER_NS = 20_000_000;

    OtherUsers(IntPredicate allowed) {
        this(allowed, ANSWER_NS);
    }
}
