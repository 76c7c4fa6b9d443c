package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.aio.LeaderAndFollower;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The dispatcher, which leads only if no thread of the pool is free, takes the lead while such a thread falls asleep: one
 * of the two sees the other.
 */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the dispatcher offers the lead")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the thread leads, or has the dispatcher offer the lead")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "the dispatcher leads though the thread is free")
@State
public class DispatcherAgainstSleep {
    private final LeaderAndFollower both = new LeaderAndFollower();

    @Actor
    public void dispatcher(ZZ_Result r) {
        r.r1 = both.leadUnlessPoolSleeps();
    }

    @Actor
    public void follower(ZZ_Result r) {
        r.r2 = both.fallAsleepBehindDispatcher();
    }
}
