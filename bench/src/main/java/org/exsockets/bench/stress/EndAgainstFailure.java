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
import org.openjdk.jcstress.infra.results.ZL_Result;

/**
 * A thread finds the peer's orderly end, then a reset; another thread finds the connection failed. The failure is kept,
 * and of end and reset at most the end.
 */
@JCStressTest
@Outcome(id = "true, \\[PEER_ENDED, PEER_RESET\\] pins=0", expect = ACCEPTABLE, desc = "the end, then the failure")
@Outcome(id = "true, \\[PEER_RESET\\] pins=0", expect = ACCEPTABLE, desc = "the failure first")
@Outcome(expect = FORBIDDEN, desc = "the failure is lost")
@State
public class EndAgainstFailure {
    private final Life life = new Life();

    @Actor
    public void end() {
        life.go(Step.PEER_ENDS);
        life.go(Step.PEER_RESETS);
    }

    @Actor
    public void fail(ZL_Result r) {
        r.r1 = life.go(Step.FAIL);
    }

    @Arbiter
    public void left(ZL_Result r) {
        r.r2 = life.toString();
    }
}
