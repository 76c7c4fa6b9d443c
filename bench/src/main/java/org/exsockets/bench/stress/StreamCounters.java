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

/** A reader polls and reads while the peer's writer writes: bytes come in order, none too early. */
@JCStressTest
@Outcome(
        id = {"0, 6", "3, 6", "6, 6"},
        expect = ACCEPTABLE,
        desc = "a beginning, then the rest")
@Outcome(expect = FORBIDDEN, desc = "bytes lost, doubled or wrong")
@State
public class StreamCounters {
    private static final int WRONG = -9;

    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final StreamEngine writer = new StreamEngine(ends[0]);
    private final StreamEngine reader = new StreamEngine(ends[1]);
    private final ByteBuffer received = ByteBuffer.allocate(8);

    @Actor
    public void write() {
        writer.outgoing.trySend(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        writer.outgoing.trySend(ByteBuffer.wrap(new byte[] {4, 5, 6}));
    }

    @Actor
    public void read(II_Result r) {
        r.r1 = readAll();
    }

    @Arbiter
    public void rest(II_Result r) {
        r.r2 = readAll();
    }

    private int readAll() {
        reader.progress();
        reader.incoming.tryReceive(received);
        for (int i = 0; i < received.position(); i++) {
            if (received.get(i) != i + 1) {
                return WRONG;
            }
        }
        return received.position();
    }
}
