package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A thread about to sleep arms the wake word and looks; a sender publishes and looks: at least one sees the other
 * (Dekker). No thread can fall asleep on a cleared word, and clearing it wakes a sleeping one (futex(2)).
 */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "seen, no need to wake")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "not seen, but woken")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "seen and woken")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "a lost wake-up")
@State
public class WakeWordArming {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final Messages receiver = new Messages(ends[1]);

    @Actor
    public void send() {
        Messages.post(ends[0], 1);
    }

    @Actor
    public void armAndLook(ZZ_Result r) {
        boolean seen = receiver.look();
        ends[1].queuePair().wakeWord().arm();
        r.r1 = seen | !ends[1].queuePair().completionQueue().isEmpty();
    }

    @Arbiter
    public void woken(ZZ_Result r) {
        r.r2 = !ends[1].asleep() && receiver.next() == 1;
    }
}
