package org.exsockets.verbs.soft.ring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.exsockets.observe.Log;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.MoreRoom;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.RemoteRegion;
import org.exsockets.verbs.soft.arena.EndpointArenas;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.layout.ProcessDescriptor;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.OwnProcess;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.PeerProcess;
import org.exsockets.verbs.soft.shared.Segment;
import org.jspecify.annotations.Nullable;

/** One end of a connection over a segment. */
public final class SoftEndpoint implements Endpoint, MoreRoom.Shared, IntConsumer {
    public static final String DEVICE = "soft";

    private final PeerMappings<PeerProcess.Name, PeerProcess> processes;
    private final int peerProcessId;
    final Segment segment;
    private final boolean isA;
    private final int version;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;

    /** Null if the client is bound. */
    private final @Nullable ClientPort clientPort;

    private final SoftQueuePair queuePair;
    private final Reserves reserves;
    /** Null: neither end reaches memory of the other one's program. */
    private final @Nullable EndpointArenas arenas;

    final EndpointSigns signs;
    private final Runnable onLook;
    private final Runnable onRelease;
    private final AtomicBoolean released = new AtomicBoolean();

    /** The segment is, or is about to be, another connection's. */
    @GuardedBy("this")
    private boolean over;

    /**
     * Makes an end of a connection whose segment is mapped.
     *
     * @param processes those of peers, which get the one that the listener passes
     * @param peerProcessId of the listener, as the kernel says
     * @param arenas null if neither end is to reach memory of the other one's program
     * @param own this process; null if the peer is not to see its signs
     * @param onRelease takes back the segment, and the doorbell, which has ended
     */
    public SoftEndpoint(
            PeerMappings<PeerProcess.Name, PeerProcess> processes,
            int peerProcessId,
            @Nullable EndpointArenas arenas,
            @Nullable OwnProcess own,
            Segment segment,
            boolean isA,
            int version,
            InetSocketAddress local,
            InetSocketAddress remote,
            Doorbell doorbell,
            Reserves reserves,
            Runnable onLook,
            Runnable onRelease) {
        this.processes = processes;
        this.peerProcessId = peerProcessId;
        this.segment = segment;
        this.isA = isA;
        this.version = version;
        this.local = local;
        this.remote = remote;
        InetSocketAddress client = isA ? local : remote;
        int serverPort = (isA ? remote : local).getPort();
        this.clientPort =
                client.getPort() != 0 ? null : new ClientPort(segment.words(), isA, client.getAddress(), serverPort);
        this.arenas = arenas;
        this.signs = new EndpointSigns(own, segment, isA, doorbell);
        this.queuePair = new SoftQueuePair(
                segment.words(), isA, segment.slots(), segment.regionBytes(), doorbell, arenas, signs);
        this.reserves = reserves;
        this.onLook = onLook;
        this.onRelease = onRelease;
        doorbell.onPassed(this);
    }

    /**
     * Takes a descriptor that the peer has passed. Any thread: that of the background may have taken it from the socket
     * just before the release.
     */
    @Override
    public void accept(int descriptor) {
        boolean wanted = false;
        try {
            if (NativeMemory.sealedBytes(descriptor) != ProcessDescriptor.LENGTH) {
                wanted = arenas != null && arenas.onPassed(descriptor);
            } else if (isA && arenas != null && segment.peer() == null) {
                PeerProcess peer = processes.keep(PeerProcess.open(peerProcessId, descriptor));
                if (!setPeer(peer)) {
                    processes.release(peer);
                }
            }
        } catch (IOException e) {
            Log.debug("connection over soft: what the peer has passed is of no use: " + e.getMessage());
        } finally {
            if (wanted) {
                NativeMemory.close(descriptor);
            } else {
                LocalSocket.closePassed(descriptor);
            }
        }
    }

    synchronized boolean setPeer(PeerProcess peer) {
        return !over && segment.setPeer(peer);
    }

    @Override
    public String device() {
        return DEVICE;
    }

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public ByteBuffer exposed() {
        return segment.mapping()
                .slice(
                        SegmentDescriptor.regionOffset(isA, segment.slots(), segment.regionBytes()),
                        segment.regionBytes());
    }

    @Override
    public RemoteRegion remote() {
        return new RemoteRegion(0, SegmentDescriptor.regionKey(!isA), segment.regionBytes());
    }

    @Override
    public MoreRoom moreRoom() {
        return this;
    }

    @Override
    public int reserveBytes() {
        return reserves.bytes();
    }

    @Override
    public @Nullable RemoteRegion take(int mostBytes) {
        Reserves.WritableRegion reserve = reserves.take(mostBytes);
        if (reserve == null) {
            return null;
        }
        queuePair.reach(reserve);
        return new RemoteRegion(0, reserve.key, reserve.lengthBytes);
    }

    @Override
    public @Nullable ByteBuffer takenByPeer(int generation) {
        return reserves.ofPeer(generation);
    }

    @Override
    public void free(ByteBuffer memory, int offset, int length) {
        int failure = reserves.keepPages() ? 0 : NativeMemory.emptyWithin(memory, offset, length);
        if (failure < 0) {
            Log.debug("hidden buffer: keeps its memory: " + NativeMemory.message(-failure));
        }
    }

    @Override
    public void freeOfPeer(int key, int offset, int length) {
        int begin = key == SegmentDescriptor.regionKey(!isA)
                ? SegmentDescriptor.regionOffset(!isA, segment.slots(), segment.regionBytes())
                : segment.reserveOffset(isA, key == SegmentDescriptor.reserveKey(!isA, true));
        free(segment.mapping().memory(), begin + offset, length);
    }

    @Override
    public void measure() {
        segment.measure();
        onLook.run();
    }

    @Override
    public @Nullable DirectAccess direct() {
        return arenas;
    }

    @Override
    public int receiveDepth() {
        return segment.slots();
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public InetSocketAddress localAddress() {
        return isA && clientPort != null ? clientPort.address() : local;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return !isA && clientPort != null ? clientPort.address() : remote;
    }

    @Override
    public InetAddress localHost() {
        return local.getAddress();
    }

    @Override
    public InetAddress remoteHost() {
        return remote.getAddress();
    }

    @Override
    public void release() {
        if (released.compareAndSet(false, true)) {
            if (clientPort != null) {
                clientPort.end();
            }
            if (arenas != null) {
                arenas.release();
            }
            onLook.run(); // For the last time: most clients learn of the server's process only now.
            synchronized (this) {
                over = true;
            }
            onRelease.run();
        }
    }
}
