package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.ring.HidingSleeper;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A thread hides its sign from a connection, and sleeps for the others, while a peer that has seen the sign there wakes it
 * by an event of that connection, for which it does not wait.
 */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "the next completion of another connection wakes it")
@Outcome(id = "false", expect = FORBIDDEN, desc = "the peer takes the sleep for one that is over")
@State
public class HideAgainstWake {
    private final HidingSleeper both = HidingSleeper.next();

    @Actor
    public void sleeper() {
        both.sleepWithoutIt();
    }

    @Actor
    public void peer() {
        both.wake();
    }

    @Arbiter
    public void another(Z_Result r) {
        r.r1 = both.isWokenForAnother();
    }
}
