package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Both ends release a connection at the same time: they name the same port of its client, never asked for before. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "the same")
@Outcome(id = "false", expect = FORBIDDEN, desc = "each another")
@State
public class ClientPortAgreement {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();

    @Actor
    public void clientEnds() {
        ends[0].release();
    }

    @Actor
    public void serverEnds() {
        ends[1].release();
    }

    @Arbiter
    public void compare(Z_Result r) {
        r.r1 = ends[0].localAddress().equals(ends[1].remoteAddress());
    }
}
