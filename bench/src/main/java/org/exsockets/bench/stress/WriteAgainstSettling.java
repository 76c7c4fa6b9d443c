package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.connection.life.WriterAndSettling;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A writer places bytes that it cannot announce, and asks the background thread to do so, while that thread, asked before,
 * finds that nothing is owed. One of the two asks again.
 */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "the background thread looks again")
@Outcome(expect = FORBIDDEN, desc = "the bytes are announced only if the program comes back")
@State
public class WriteAgainstSettling {
    private final WriterAndSettling both = new WriterAndSettling();

    @Actor
    public void writer() {
        both.writeAndAsk();
    }

    @Actor
    public void background() {
        both.settle();
    }

    @Arbiter
    public void left(ZZ_Result r) {
        r.r1 = both.owes();
        r.r2 = both.isAsked();
        both.end();
    }
}
