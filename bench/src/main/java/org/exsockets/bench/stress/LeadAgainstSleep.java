package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.aio.LeaderAndFollower;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A leader gives up the lead while a follower falls asleep: one of the two sees the other. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the leader wakes the follower")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the follower takes the lead")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "nobody leads, and nobody is woken")
@State
public class LeadAgainstSleep {
    private final LeaderAndFollower both = new LeaderAndFollower().lead();

    @Actor
    public void leader() {
        both.giveUp();
    }

    @Actor
    public void follower(ZZ_Result r) {
        r.r2 = both.fallAsleep();
    }

    @Arbiter
    public void woken(ZZ_Result r) {
        r.r1 = both.woken();
    }
}
