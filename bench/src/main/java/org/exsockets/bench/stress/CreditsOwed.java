package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.stream.link.MessageCredits;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads build messages while a receive is posted again: every credit is returned once. */
@JCStressTest
@Outcome(id = "4, 0", expect = ACCEPTABLE, desc = "each once")
@Outcome(expect = FORBIDDEN, desc = "returned twice or never")
@State
public class CreditsOwed {
    private final MessageCredits credits = new MessageCredits(8);
    private int first;
    private int second;

    public CreditsOwed() {
        credits.onReceivesPosted(1);
        credits.onReceivesPosted(1);
        credits.onReceivesPosted(1);
    }

    @Actor
    public void one() {
        first = credits.takeWithOwed(2);
    }

    @Actor
    public void other() {
        credits.onReceivesPosted(1);
        second = credits.takeOwed(4);
    }

    @Arbiter
    public void sum(II_Result r) {
        r.r1 = first + second + credits.takeOwed(Integer.MAX_VALUE);
        r.r2 = credits.takeOwed(Integer.MAX_VALUE);
    }
}
