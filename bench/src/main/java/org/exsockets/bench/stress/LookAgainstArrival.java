package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** While messages are published, taken and given receives again, both ends find their rings intact. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "nothing was overwritten")
@Outcome(expect = FORBIDDEN, desc = "a sound connection would be reset")
@State
public class LookAgainstArrival {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final Messages receiver = new Messages(ends[1]);

    @Actor
    public void send() {
        ends[0].queuePair().postSend(Messages.message(1));
        ends[0].queuePair().postSend(Messages.message(2));
    }

    @Actor
    public void take() {
        for (int i = 0; i < 2; i++) {
            if (receiver.next() > 0) {
                receiver.postReceive();
            }
        }
    }

    @Actor
    public void look(ZZ_Result r) {
        r.r1 = ends[0].queuePair().isIntact();
        r.r2 = ends[0].queuePair().isIntact() && ends[1].queuePair().isIntact();
    }
}
