package org.exsockets.es;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.observe.Traffic;
import org.exsockets.packet.PacketEngine;
import org.exsockets.packet.PacketListener;
import org.exsockets.packet.PacketTransfer;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.QueuePair;
import org.exsockets.waiting.ProgressThread;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a packet socket: its engine, and how it ends. Guarded by the socket's lock, except {@link #hasNews}
 * and {@link #takeEvents}: any thread of an attached queue may call these until {@link #release}.
 */
final class PacketConnection implements EsSocket.Established {
    private static final long LIVENESS_LOOK_NS = 5_000_000;

    private final Endpoint endpoint;
    private final QueuePair queuePair;
    private final CompletionQueue completions;
    final PacketEngine engine;
    private final Traffic traffic = new Traffic();
    private volatile boolean hungUp;
    private long lastLookNs = System.nanoTime();

    /** This end has disconnected. Set under the lock. What has not been handled by then stays unhandled. */
    private volatile boolean disconnected;

    /** A message to the peer is not there any more. */
    private boolean overwritten;

    PacketConnection(Endpoint endpoint, PacketListener listener) {
        this.endpoint = endpoint;
        this.queuePair = endpoint.queuePair();
        this.completions = queuePair.completionQueue();
        this.engine = new PacketEngine(endpoint, listener);
        Statistics.jvm().register(traffic);
    }

    CompletionChannel events() {
        return queuePair.completionChannel();
    }

    @Override
    public String transport() {
        return endpoint.device();
    }

    @Override
    public InetSocketAddress localAddress() {
        return endpoint.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return endpoint.remoteAddress();
    }

    void count(PacketTransfer ended, boolean received) {
        int indirect = ended.moved - ended.movedDirect;
        if (received) {
            traffic.bytesReceivedDirect += ended.movedDirect;
            traffic.bytesReceivedIndirect += indirect;
        } else {
            traffic.bytesSentDirect += ended.movedDirect;
            traffic.bytesSentIndirect += indirect;
        }
    }

    @Override
    public boolean hasNews() {
        return !disconnected && !completions.isEmpty();
    }

    @Override
    public boolean polled() {
        return true;
    }

    @Override
    public long wakeUpNs() {
        return events().wakeUpNs();
    }

    /** {@return whether there were any} */
    boolean takeEvents() {
        int bits = events().drain();
        if ((bits & CompletionChannel.HANGUP) != 0) {
            hungUp = true;
        }
        return bits != 0;
    }

    /**
     * Handles what has arrived, and looks for the peer's end now and then.
     *
     * @return whether that look has taken an event: a thread that is about to sleep may depend on it, so every queue
     *     must look again
     */
    boolean progress() {
        engine.progress();
        long nowNs = System.nanoTime();
        if (nowNs - lastLookNs > LIVENESS_LOOK_NS) {
            lastLookNs = nowNs;
            overwritten = !queuePair.isIntact();
            return takeEvents();
        }
        return false;
    }

    /** {@return whether a queue that sleeps may have missed a wake-up, or the peer a message} */
    boolean mayHaveLosses() {
        return hasNews() || !queuePair.isIntact();
    }

    /** As {@link #progress}; an event follows the next arrival. */
    boolean arm() {
        completions.requestNotification();
        return progress();
    }

    /** {@return why the connection is lost; null if it is not} */
    @Nullable
    IOException ended() {
        boolean before = disconnected;
        if (overwritten && !before) {
            String reason = "memory shared with the peer was overwritten";
            fail(reason);
            return new IOException("Connection reset: " + reason);
        }
        if (engine.failure() == null && !before) {
            if (!hungUp && queuePair.peerReason() == DisconnectReason.NONE) {
                return null;
            }
            // What has arrived before the end counts.
            engine.progress();
            if (engine.failure() == null && queuePair.peerReason() == DisconnectReason.ORDERLY) {
                engine.onPeerClosed(queuePair.peerLastWord());
            }
        }
        if (engine.failure() != null) {
            fail(engine.failure());
            return new IOException("Connection reset: " + engine.failure());
        }
        boolean orderly = !before && queuePair.peerReason() == DisconnectReason.ORDERLY && engine.finArrived();
        disconnect(DisconnectReason.ABORT);
        return new IOException(orderly ? "Broken pipe" : "Connection reset");
    }

    /** Memory shared with the peer cannot be copied to: resets the connection. {@return the program's exception} */
    IOException truncated(@Nullable Throwable fault) {
        fail("memory shared with the peer cannot be used: " + fault);
        return new IOException("Connection reset");
    }

    private void fail(String reason) {
        if (!disconnected) {
            Log.warnFirst(
                    "reset by " + remoteAddress().getAddress(),
                    "connection reset: " + reason + ": local=" + localAddress() + ", remote=" + remoteAddress());
            disconnect(DisconnectReason.VIOLATION);
        }
    }

    private void disconnect(DisconnectReason reason) {
        if (!disconnected) {
            disconnected = true;
            queuePair.disconnect(reason, engine.sentPackets());
        }
    }

    /** The connection is lost, or closed: when this returns, the peer writes to no memory of the program any more. */
    void fence() {
        disconnect(DisconnectReason.ABORT);
        if (queuePair.peerReason() != DisconnectReason.ORDERLY) {
            engine.fence();
        }
    }

    /** Ends the connection from this end, in order unless packets are still to be sent. */
    void close() {
        if (!disconnected) {
            engine.flush();
            disconnect(engine.owesPackets() ? DisconnectReason.ABORT : DisconnectReason.ORDERLY);
        }
        fence();
    }

    /** No thread looks at the memory any more. Once. */
    void release() {
        endpoint.release();
        Statistics.jvm().retire(traffic);
        ProgressThread.flushClosed(events().known());
    }
}
