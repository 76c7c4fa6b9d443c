package org.exsockets.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.nio.ByteBuffer;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * An orderly close disconnects once the writer has finished, in any thread, and sends the length of the stream. No
 * message credit is left for announcing bytes or the FIN.
 */
@JCStressTest
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "not disconnected")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "disconnected, and the peer has all bytes and the end")
@Outcome(expect = FORBIDDEN, desc = "bytes or the end are missing: the peer would take it for a reset")
@State
public class FinishAgainstDisconnect {
    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final StreamEngine closing = new StreamEngine(ends[0]);
    private final StreamEngine peer = new StreamEngine(ends[1]);

    private final ByteBuffer received = ByteBuffer.allocate(8);

    public FinishAgainstDisconnect() {
        for (int i = 0; i < 3; i++) {
            closing.outgoing.trySend(ByteBuffer.allocate(1));
        }
    }

    @Actor
    public void finish() {
        closing.outgoing.trySend(ByteBuffer.allocate(2));
        closing.outgoing.finish();
    }

    @Actor
    public void disconnectWhenFinished() {
        if (closing.outgoing.finished()) {
            ends[0].queuePair().disconnect(DisconnectReason.ORDERLY, closing.outgoing.writtenBytes());
        }
    }

    @Arbiter
    public void peer(ZZ_Result r) {
        peer.progress();
        r.r1 = ends[1].queuePair().peerReason() == DisconnectReason.ORDERLY;
        if (r.r1) {
            peer.onPeerClosed(ends[1].queuePair().peerLastWord());
        }
        peer.incoming.tryReceive(received);
        r.r2 = peer.failure() == null && (!r.r1 || peer.incoming.finArrived() && received.position() == 5);
    }
}
