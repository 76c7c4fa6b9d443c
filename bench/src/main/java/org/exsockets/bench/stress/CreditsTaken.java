package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.stream.link.MessageCredits;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** Two threads want the one credit above the reserve and another comes back: never more are taken than there are. */
@JCStressTest
@Outcome(
        id = {"1, true", "2, true"},
        expect = ACCEPTABLE,
        desc = "one, or both after the return")
@Outcome(expect = FORBIDDEN, desc = "taken twice, lost, or the reserve touched")
@State
public class CreditsTaken {
    private static final int DEPTH = 4;

    private final MessageCredits credits = new MessageCredits(DEPTH);
    private boolean first;
    private boolean second;

    public CreditsTaken() {
        credits.tryTake();
        credits.tryTake();
    }

    @Actor
    public void one() {
        first = credits.takeWithOwed(1) >= 0;
    }

    @Actor
    public void other() {
        second = credits.tryTake();
        credits.onReturned(1);
    }

    @Arbiter
    public void count(IZ_Result r) {
        r.r1 = (first ? 1 : 0) + (second ? 1 : 0);
        int left = 0;
        while (credits.tryTakeLast()) {
            left++;
        }
        r.r2 = left == DEPTH - 2 + 1 - r.r1;
    }
}
