package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.nio.ByteBuffer;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Message credits have run out. A writer places bytes it cannot announce, while another thread handles the peer's
 * CREDIT: one of the two announces them.
 */
@JCStressTest
@Outcome(id = "5, 0", expect = ACCEPTABLE, desc = "announced")
@Outcome(expect = FORBIDDEN, desc = "placed, but announced by nobody although there are credits")
@State
public class AnnouncementAgainstCredit {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final StreamEngine writer = new StreamEngine(ends[0]);
    private final StreamEngine reader = new StreamEngine(ends[1]);
    private final ByteBuffer received = ByteBuffer.allocate(8);

    public AnnouncementAgainstCredit() {
        for (int i = 1; i <= 3; i++) {
            writer.outgoing.trySend(ByteBuffer.wrap(new byte[] {(byte) i}));
        }
        reader.progress();
    }

    @Actor
    public void write() {
        writer.outgoing.trySend(ByteBuffer.wrap(new byte[] {4, 5}));
    }

    @Actor
    public void poll() {
        writer.progress();
    }

    @Arbiter
    public void read(II_Result r) {
        reader.progress();
        reader.incoming.tryReceive(received);
        r.r1 = received.position();
        for (int i = 0; i < received.position(); i++) {
            r.r2 |= received.get(i) == i + 1 ? 0 : 1;
        }
    }
}
