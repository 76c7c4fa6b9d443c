package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.soft.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A close in order disconnects once the FIN is sent; whichever thread does so, the FIN arrives first. */
@JCStressTest
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "finished, not disconnected yet")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "finished and disconnected")
@Outcome(expect = FORBIDDEN, desc = "disconnected without a FIN: the peer would take it for a reset")
@State
public class FinishAgainstDisconnect {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final StreamEngine closing = new StreamEngine(ends[0]);
    private final StreamEngine peer = new StreamEngine(ends[1]);

    @Actor
    public void finish() {
        closing.finish();
    }

    @Actor
    public void disconnectWhenFinished() {
        if (closing.finSent()) {
            ends[0].queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        }
    }

    @Arbiter
    public void peer(ZZ_Result r) {
        peer.progress();
        r.r1 = ends[1].queuePair().peerReason() == DisconnectReason.ORDERLY;
        r.r2 = peer.finArrived();
    }
}
