package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread that sees that the peer has closed sees all messages sent before. */
@JCStressTest
@Outcome(
        id = {"0, 0", "0, 1", "1, 1"},
        expect = ACCEPTABLE,
        desc = "the message comes before the end")
@Outcome(expect = FORBIDDEN, desc = "the end was seen without the message")
@State
public class ReasonBehindMessages {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final Messages receiver = new Messages(ends[1]);

    @Actor
    public void sendAndClose() {
        Messages.post(ends[0], 1);
        ends[0].queuePair().disconnect(DisconnectReason.ORDERLY, 0);
    }

    @Actor
    public void look(II_Result r) {
        r.r1 = ends[1].queuePair().peerReason().code();
        r.r2 = receiver.next();
    }
}
