package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.connection.life.Life;
import org.exsockets.connection.life.Life.Step;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/** Two threads close a connection, one of them with a reset: one closes it, in its way. */
@JCStressTest
@Outcome(id = "true, false, \\[OUTPUT_SHUT, CLOSED\\] pins=0", expect = ACCEPTABLE, desc = "closed in order")
@Outcome(
        id = "false, true, \\[OUTPUT_SHUT, CLOSED, ABORTED\\] pins=0",
        expect = ACCEPTABLE,
        desc = "closed with a reset")
@Outcome(expect = FORBIDDEN, desc = "closed by both or by neither, or half in one way and half in the other")
@State
public class CloseAgainstClose {
    private final Life life = new Life();

    @Actor
    public void close(ZZL_Result r) {
        life.go(Step.SHUT_OUTPUT);
        r.r1 = life.go(Step.CLOSE);
    }

    @Actor
    public void abort(ZZL_Result r) {
        r.r2 = life.go(Step.ABORT);
    }

    @Arbiter
    public void left(ZZL_Result r) {
        r.r3 = life.toString();
    }
}
