package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** While messages are published, taken and given receives again, any thread finds the rings of both ends intact. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "nothing was overwritten")
@Outcome(expect = FORBIDDEN, desc = "a sound connection would be reset")
@State
public class LookAgainstArrival {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final Messages receiver = new Messages(ends[1]);

    @Actor
    public void send(ZZ_Result r) {
        Messages.post(ends[0], 1);
        r.r1 = ends[0].queuePair().isIntact();
        Messages.post(ends[0], 2);
    }

    @Actor
    public void take(ZZ_Result r) {
        takeOne();
        r.r2 = ends[0].queuePair().isIntact();
        takeOne();
        r.r2 &= ends[0].queuePair().isIntact() && ends[1].queuePair().isIntact();
    }

    private void takeOne() {
        if (receiver.next() > 0) {
            receiver.postReceive();
        }
    }
}
