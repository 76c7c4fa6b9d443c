package org.exsockets.verbs.soft.meet;

import java.util.function.IntPredicate;

/**
 * How processes of other users are treated.
 *
 * @param allowed which of them may be peers, by unsigned number
 * @param answerNs how long a connect waits for one of them to accept, before it leaves the connection to TCP
 */
public record OtherUsers(IntPredicate allowed, long answerNs) {}
