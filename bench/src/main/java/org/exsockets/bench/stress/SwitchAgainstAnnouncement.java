package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.nio.ByteBuffer;
import org.exsockets.stream.GrowingStream;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A byte is placed and not announced, for lack of credits; the peer's credits and its longer buffer are on their way.
 * While another thread handles them and announces, the writer continues to write, in the old buffer or the new one.
 * Bytes come in order, and no announcement is taken for one in the wrong buffer.
 */
@JCStressTest
@Outcome(id = "6, 0", expect = ACCEPTABLE, desc = "all bytes, in order")
@Outcome(expect = FORBIDDEN, desc = "bytes lost, doubled or wrong, or a violation seen")
@State
public class SwitchAgainstAnnouncement {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final StreamEngine writer = new StreamEngine(ends[0]);
    private final StreamEngine reader = new StreamEngine(ends[1]);
    private final ByteBuffer received = ByteBuffer.allocate(8);

    public SwitchAgainstAnnouncement() {
        for (int i = 1; i <= 4; i++) {
            writer.outgoing.trySend(ByteBuffer.wrap(new byte[] {(byte) i}));
        }
        reader.progress();
        GrowingStream.grow(reader, 2 * MemoryEndpoint.EXPOSED_BYTES);
    }

    @Actor
    public void write() {
        writer.outgoing.trySend(ByteBuffer.wrap(new byte[] {5}));
        writer.outgoing.trySend(ByteBuffer.wrap(new byte[] {6}));
    }

    @Actor
    public void poll() {
        writer.progress();
    }

    @Arbiter
    public void rest(II_Result r) {
        for (int i = 0; i < 2; i++) {
            writer.progress();
            writer.flush();
            reader.progress();
            reader.incoming.tryReceive(received);
        }
        r.r1 = received.position();
        r.r2 = writer.failure() == null && reader.failure() == null ? 0 : 1;
        for (int i = 0; i < received.position(); i++) {
            r.r2 |= received.get(i) == i + 1 ? 0 : 2;
        }
    }
}
