package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Messages are seen whole and in order while they are being published. */
@JCStressTest
@Outcome(
        id = {"0, 0", "0, 1", "1, 0", "1, 2"},
        expect = ACCEPTABLE,
        desc = "a beginning of what was sent")
@Outcome(expect = FORBIDDEN, desc = "lost, doubled, out of order or torn")
@State
public class ArrivalRing {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final Messages receiver = new Messages(ends[1]);

    @Actor
    public void send() {
        Messages.post(ends[0], 1);
        Messages.post(ends[0], 2);
    }

    @Actor
    public void receive(II_Result r) {
        r.r1 = receiver.next();
        r.r2 = receiver.next();
    }
}
