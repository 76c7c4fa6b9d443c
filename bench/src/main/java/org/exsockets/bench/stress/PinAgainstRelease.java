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
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * A selector pins a connection that another thread closes. The last one to leave releases the memory, once, and never
 * while it is pinned.
 */
@JCStressTest
@Outcome(id = "true, true, 1", expect = ACCEPTABLE, desc = "released once, behind the pin")
@Outcome(expect = FORBIDDEN, desc = "released beneath a pin, twice, or never")
@State
public class PinAgainstRelease {
    private final Life life = new Life();
    private int releasedByPin;
    private int releasedByClose;

    public PinAgainstRelease() {
        life.go(Step.PEER_ENDS);
        life.go(Step.DISCONNECT);
    }

    @Actor
    public void selector(ZZI_Result r) {
        r.r1 = true;
        if (life.pin()) {
            r.r1 = !life.isReleased();
            if (life.unpin()) {
                releasedByPin = release();
            }
        }
    }

    @Actor
    public void close() {
        life.go(Step.CLOSE);
        releasedByClose = release();
    }

    private int release() {
        return life.isUnused() && life.go(Step.RELEASE) ? 1 : 0;
    }

    @Arbiter
    public void released(ZZI_Result r) {
        r.r2 = life.isReleased();
        r.r3 = releasedByPin + releasedByClose;
    }
}
