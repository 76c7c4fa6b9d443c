package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * A reader closes the window to its program's memory while the peer's writer enters it, tells what it has written, and
 * leaves (Dekker). If the reader finds nobody within, nobody comes in, and what was written has been told.
 */
@JCStressTest
@Outcome(id = "true, true, 1", expect = ACCEPTABLE, desc = "written before the window was closed, and told")
@Outcome(id = "true, false, 0", expect = ACCEPTABLE, desc = "the writer is seen within")
@Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "closed before the writer came")
@Outcome(id = "false, false, 0", expect = ACCEPTABLE, desc = "each has seen the other, and nothing is written")
@Outcome(expect = FORBIDDEN, desc = "written behind the reader's back")
@State
public class WindowAgainstEntry {
    private static final int WINDOW = 0;

    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final Messages receiver = new Messages(ends[1]);
    private final long address = ends[1].windows().open(WINDOW, 0);

    @Actor
    public void write(ZZI_Result r) {
        r.r1 = ends[0].windows().tryEnter(address);
        if (r.r1) {
            Messages.post(ends[0], 1);
            ends[0].windows().leave();
        }
    }

    @Actor
    public void close(ZZI_Result r) {
        r.r2 = ends[1].windows().close(WINDOW);
        if (r.r2) {
            r.r3 = receiver.next();
        }
    }
}
