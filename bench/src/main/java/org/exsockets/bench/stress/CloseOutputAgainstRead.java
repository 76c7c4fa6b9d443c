package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.exsockets.connection.Close;
import org.exsockets.connection.ExsConnection;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.exsockets.waiting.Wait;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LZ_Result;

/** As {@link CloseAgainstRead}, with a close that ends the output before the reset, as that of a socket. */
@JCStressTest
@Outcome(id = "ABORT, true", expect = ACCEPTABLE, desc = "the end, and then a reset")
@Outcome(expect = FORBIDDEN, desc = "no end, or no reset")
@State
public class CloseOutputAgainstRead {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final ExsConnection closing = new ExsConnection(ends[0], false);
    private final StreamEngine peer = new StreamEngine(ends[1]);
    private final ByteBuffer target = ByteBuffer.allocate(1);

    public CloseOutputAgainstRead() {
        peer.trySend(ByteBuffer.allocate(3));
    }

    @Actor
    public void close() {
        closing.close(Close.OUTPUT_FIRST);
    }

    @Actor
    public void read() {
        try {
            closing.read(target, Wait.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Arbiter
    public void peer(LZ_Result r) {
        peer.progress();
        r.r1 = ends[1].queuePair().peerReason();
        r.r2 = peer.finArrived();
    }
}
