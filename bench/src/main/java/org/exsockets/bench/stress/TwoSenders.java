package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads of one end post at once: both messages arrive, once and whole. */
@JCStressTest
@Outcome(
        id = {"1, 2, 0", "2, 1, 0"},
        expect = ACCEPTABLE,
        desc = "both")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled or torn")
@State
public class TwoSenders {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final Messages receiver = new Messages(ends[1]);

    @Actor
    public void one() {
        Messages.post(ends[0], 1);
    }

    @Actor
    public void other() {
        Messages.post(ends[0], 2);
    }

    @Arbiter
    public void receive(III_Result r) {
        r.r1 = receiver.next();
        r.r2 = receiver.next();
        r.r3 = receiver.next();
    }
}
