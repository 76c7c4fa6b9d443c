package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.arena.WriterAndFreed;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A writer enters an arena that the peer has freed, while another thread lets go of it: the arena is mapped as long as the
 * writer is within, and unmapped in the end.
 */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "not found, or mapped")
@Outcome(expect = FORBIDDEN, desc = "written to memory that is gone, or never unmapped")
@State
public class WriteAgainstFreedArena {
    private final WriterAndFreed both = WriterAndFreed.next();

    @Actor
    public void writer(ZZ_Result r) {
        r.r1 = both.enter();
    }

    @Actor
    public void adverts() {
        both.lookForAnother();
    }

    @Arbiter
    public void left(ZZ_Result r) {
        r.r2 = both.release();
    }
}
