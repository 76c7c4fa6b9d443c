package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.connection.life.Life;
import org.exsockets.connection.life.Life.Step;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * The program closes a connection while another thread finds the peer's end, and disconnects. One of them releases the
 * memory.
 */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "released once")
@Outcome(expect = FORBIDDEN, desc = "released twice, or never")
@State
public class CloseAgainstPeersEnd {
    private final Life life = new Life();
    private int releasedByClose;
    private int releasedByPeer;

    @Actor
    public void close() {
        life.go(Step.CLOSE);
        releasedByClose = release();
    }

    @Actor
    public void peersEnd() {
        life.go(Step.PEER_ENDS);
        life.go(Step.DISCONNECT);
        releasedByPeer = release();
    }

    private int release() {
        return life.isUnused() && life.go(Step.RELEASE) ? 1 : 0;
    }

    @Arbiter
    public void released(ZI_Result r) {
        r.r1 = life.isReleased();
        r.r2 = releasedByClose + releasedByPeer;
    }
}
