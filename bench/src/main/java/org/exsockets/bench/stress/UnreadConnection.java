package org.exsockets.bench.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.exsockets.connection.Close;
import org.exsockets.connection.ExsConnection;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.soft.ring.MemoryEndpoint;
import org.exsockets.waiting.Wait;
import org.openjdk.jcstress.infra.results.LZ_Result;

/** A connection with more bytes to read than a read of one thread takes, while another one closes it. */
final class UnreadConnection {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final MemoryEndpoint[] ends = MemoryEndpoint.pair();
    private final ExsConnection closing = new ExsConnection(ends[0], false);
    private final StreamEngine peer = new StreamEngine(ends[1]);
    private final ByteBuffer target = ByteBuffer.allocate(1);

    UnreadConnection() {
        peer.outgoing.trySend(ByteBuffer.allocate(3));
    }

    void close(Close how) {
        closing.close(how);
    }

    void read() {
        try {
            closing.read(target, Wait.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Why the peer finds the connection over, and whether it reads an end of the stream. The background thread may just
     * be completing the close: so the reason first, and then what has come before it, as every peer does.
     */
    void tellPeers(LZ_Result r) {
        long startNs = System.nanoTime();
        DisconnectReason reason;
        do {
            Thread.onSpinWait();
            reason = ends[1].queuePair().peerReason();
        } while (reason == DisconnectReason.NONE && System.nanoTime() - startNs < LIMIT_NS);
        peer.progress();
        r.r1 = reason;
        r.r2 = peer.incoming.finArrived();
    }
}
