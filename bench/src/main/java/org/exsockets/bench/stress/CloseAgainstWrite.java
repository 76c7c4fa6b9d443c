package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;

/**
 * One end closes a window while the other writes through it, to a field that stands for memory of the program. Once the
 * owner sees no writer in the window, the bytes and the message about them are there, or never will be.
 */
@JCStressTest
@Outcome(id = "1, 1, true", expect = ACCEPTABLE, desc = "closed behind the write")
@Outcome(id = "0, 0, true", expect = ACCEPTABLE, desc = "closed before the write")
@Outcome(id = "-1, -1, .*", expect = ACCEPTABLE, desc = "the writer may be within: the owner must look again")
@Outcome(expect = FORBIDDEN, desc = "a write that the owner has not seen, or a message without its bytes")
@State
public class CloseAgainstWrite {
    private static final int WINDOW = 3;
    private static final int ENOUGH = 100;

    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final Messages receiver = new Messages(ends[1]);
    private final long address = ends[1].windows().open(WINDOW, 0);

    /** Plain, as the memory is. */
    private int memory;

    @Actor
    public void write() {
        if (ends[0].windows().tryEnter(address)) {
            memory = 1;
            Messages.post(ends[0], 1);
            ends[0].windows().leave();
        }
    }

    @Actor
    public void close(IIZ_Result r) {
        if (!ends[1].windows().close(WINDOW)) {
            r.r1 = -1;
            r.r2 = -1;
            return;
        }
        r.r1 = receiver.next();
        r.r2 = memory;
        boolean same = true;
        for (int i = 0; i < ENOUGH; i++) {
            same &= memory == r.r2 && !(r.r1 == 0 && receiver.next() != 0);
        }
        r.r3 = same;
    }
}
