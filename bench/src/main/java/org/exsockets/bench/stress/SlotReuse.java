package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A full ring: a slot is written again only after it was read and its receive posted again. */
@JCStressTest
@Outcome(id = "1, 0, 4", expect = ACCEPTABLE, desc = "no receive yet: the fifth message was refused")
@Outcome(id = "1, 0, 5", expect = ACCEPTABLE, desc = "the fifth message took the freed slot")
@Outcome(expect = FORBIDDEN, desc = "a message was overwritten or lost")
@State
public class SlotReuse {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final Messages receiver = new Messages(ends[1]);

    public SlotReuse() {
        for (int i = 1; i <= MemoryEndpoint.DEPTH; i++) {
            Messages.post(ends[0], i);
        }
    }

    @Actor
    public void send() {
        Messages.post(ends[0], 5);
    }

    @Actor
    public void receive(III_Result r) {
        r.r1 = receiver.next();
        receiver.postReceive();
    }

    @Arbiter
    public void rest(III_Result r) {
        int last = r.r1;
        for (int next = receiver.next(); next != 0; next = receiver.next()) {
            r.r2 |= next == last + 1 ? 0 : 1;
            last = next;
        }
        boolean refused = ends[0].queuePair().inError() && Messages.post(ends[0], 6) == QueuePair.IN_ERROR;
        r.r3 = refused == (last == MemoryEndpoint.DEPTH) ? last : Messages.FAILED;
    }
}
