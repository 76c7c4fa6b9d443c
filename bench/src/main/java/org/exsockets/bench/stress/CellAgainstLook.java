package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.shared.SleeperAndPeer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A cell is set for an earlier arrival. A peer publishes another one and sets the cell again while the poller
 * clears it. The poller sees the arrival after that, or finds the cell set the next time.
 */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "seen at once")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "seen at the next look")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "looked at twice")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "the arrival is forgotten")
@State
public class CellAgainstLook {
    private final SleeperAndPeer both = new SleeperAndPeer();

    public CellAgainstLook() {
        both.setAndEnd();
    }

    @Actor
    public void peer() {
        both.publishAndSet();
    }

    @Actor
    public void poller(ZZ_Result r) {
        r.r1 = both.takeNews();
    }

    @Arbiter
    public void nextLook(ZZ_Result r) {
        r.r2 = both.takeNews();
    }
}
