package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.shared.SleeperAndPeer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A peer publishes an arrival and sets the cell while a thread that looks only at cells goes to sleep: one of the two
 * sees the other.
 */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the peer gives an event")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the sleeper sees the cell")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "it sleeps on the arrival")
@State
public class CellAgainstSleep {
    private final SleeperAndPeer both = new SleeperAndPeer();

    @Actor
    public void peer(ZZ_Result r) {
        r.r1 = both.publishAndSet();
    }

    @Actor
    public void sleeper(ZZ_Result r) {
        r.r2 = both.fallAsleepBehindCells();
    }
}
