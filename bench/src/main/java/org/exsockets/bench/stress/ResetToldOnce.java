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

/**
 * A reader and a writer find the connection reset, while the writer pins and unpins it: one of them reports it, as over
 * TCP.
 */
@JCStressTest
@Outcome(id = "true, false, \\[PEER_RESET, RESET_TOLD, RESET_READ\\] pins=0", expect = ACCEPTABLE, desc = "the reader")
@Outcome(id = "false, true, \\[PEER_RESET, RESET_TOLD\\] pins=0", expect = ACCEPTABLE, desc = "the writer")
@Outcome(expect = FORBIDDEN, desc = "both or neither")
@State
public class ResetToldOnce {
    private final Life life = new Life();

    public ResetToldOnce() {
        life.go(Step.PEER_RESETS);
    }

    @Actor
    public void reader(ZZL_Result r) {
        r.r1 = life.go(Step.TELL_READER);
    }

    @Actor
    public void writer(ZZL_Result r) {
        life.pin();
        r.r2 = life.go(Step.TELL_RESET);
        life.unpin();
    }

    @Arbiter
    public void left(ZZL_Result r) {
        r.r3 = life.toString();
    }
}
