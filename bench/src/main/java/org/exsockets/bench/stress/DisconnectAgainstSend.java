package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** One thread sends while another disconnects: an accepted message arrives, a refused one does not. */
@JCStressTest
@Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "sent before the end")
@Outcome(id = "-1, 0, 1", expect = ACCEPTABLE, desc = "refused after the end")
@Outcome(expect = FORBIDDEN, desc = "taken and lost, refused and sent, or no reason told")
@State
public class DisconnectAgainstSend {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final Messages receiver = new Messages(ends[1]);

    @Actor
    public void send(III_Result r) {
        r.r1 = Messages.post(ends[0], 1);
    }

    @Actor
    public void disconnect() {
        ends[0].queuePair().disconnect(DisconnectReason.ORDERLY, 0);
    }

    @Arbiter
    public void receive(III_Result r) {
        r.r2 = receiver.next();
        r.r3 = ends[1].queuePair().peerReason().code();
    }
}
