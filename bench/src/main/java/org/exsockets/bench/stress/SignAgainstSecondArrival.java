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
 * A process has woken the polling thread, and relies on that event while it publishes an arrival for another of the
 * thread's queues. The thread sees the arrival when it wakes up or falls asleep again, or the process gives a new
 * event.
 */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the peer gives an event for the second sleep")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the arrival is seen before the second sleep")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "it sleeps on the arrival")
@State
public class SignAgainstSecondArrival {
    private final SleeperAndPeer both = new SleeperAndPeer();

    public SignAgainstSecondArrival() {
        both.fallAsleep();
        both.end();
    }

    @Actor
    public void peer(ZZ_Result r) {
        r.r1 = both.publish();
    }

    @Actor
    public void sleeper(ZZ_Result r) {
        boolean seen = both.wakeUp();
        r.r2 = seen | both.fallAsleep();
    }
}
