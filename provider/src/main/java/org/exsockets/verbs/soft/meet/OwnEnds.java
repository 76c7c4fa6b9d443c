package org.exsockets.verbs.soft.meet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.arena.Arenas;
import org.exsockets.verbs.soft.arena.EndpointArenas;
import org.exsockets.verbs.soft.arena.MappedArena;
import org.exsockets.verbs.soft.arena.Windows;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.HelloDescriptor;
import org.exsockets.verbs.soft.ring.Reserves;
import org.exsockets.verbs.soft.ring.SoftEndpoint;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.ListenerPage;
import org.exsockets.verbs.soft.shared.OwnProcess;
import org.exsockets.verbs.soft.shared.PeerMappings;
import org.exsockets.verbs.soft.shared.PeerProcess;
import org.exsockets.verbs.soft.shared.Segment;
import org.exsockets.verbs.soft.shared.SegmentCache;
import org.exsockets.verbs.soft.shared.SegmentPool;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.jspecify.annotations.Nullable;

/** What the connections of a device share at their ends in this process; makes these ends. Thread-safe. */
public final class OwnEnds {
    final Users users;
    final SharedBudget budget;
    final OwnProcess process;
    final PeerMappings<PeerProcess.Name, PeerProcess> processes;
    final KnownListeners listeners;
    final SegmentPool pool;
    final SegmentCache cache;
    private final Arenas arenas;
    final PeerMappings<MappedArena.Name, MappedArena> peerArenas = new PeerMappings<>(MappedArena.MAX_MAPPED);

    /** A socket, still unconnected, of a connect that has found no listener: for the next one. Null: none. */
    private final AtomicReference<LocalSocket> spare = new AtomicReference<>();

    private static final Runnable NOTHING = new Runnable() {
        @Override
        public void run() {}
    };

    /** @throws IOException if there is no memory or descriptor for what they share */
    public OwnEnds(SharedBudget budget, Users users) throws IOException {
        this(budget, users, new SegmentCache(new PeerMappings<>(Integer.MAX_VALUE), budget));
    }

    OwnEnds(SharedBudget budget, Users users, SegmentCache cache) throws IOException {
        this.budget = budget;
        this.process = new OwnProcess(budget.isStrict());
        this.users = users;
        this.cache = cache;
        this.processes = cache.processes;
        this.listeners = new KnownListeners(processes);
        this.pool = new SegmentPool(budget, process, processes);
        this.arenas = new Arenas(budget);
    }

    /** {@return whether the limit allows another segment, if need be after unused ones were given up} */
    boolean allowsSegment() {
        if (!budget.allows(Segment.USUAL_BYTES)) {
            makeRoom();
        }
        return budget.allows(Segment.USUAL_BYTES);
    }

    private void makeRoom() {
        pool.dropIdle();
        cache.dropIdle();
    }

    /**
     * {@return a segment ready for a connection} As {@link SegmentPool#acquire}; if need be after unused ones were
     * given up.
     */
    Segment acquire(EndpointParameters parameters, @Nullable PeerProcess peer) throws IOException {
        try {
            return pool.acquire(parameters, peer);
        } catch (IOException full) {
            makeRoom();
            return pool.acquire(parameters, peer);
        }
    }

    LocalSocket openSocket() throws SystemFailure {
        LocalSocket left = spare.getAndSet(null);
        return left != null ? left : LocalSocket.open();
    }

    /** Keeps a socket that found no listener: most programs connect there again, and over TCP again. */
    void giveBack(LocalSocket unconnected) {
        if (!spare.compareAndSet(null, unconnected)) {
            unconnected.close();
        }
    }

    public Arenas arenas() {
        return arenas;
    }

    /** {@return the connecting end} {@code name} is that of {@code listener}, which has been reached. */
    Endpoint connected(
            Segment segment,
            byte[] name,
            int version,
            Credentials listener,
            InetSocketAddress local,
            InetSocketAddress remote,
            Doorbell doorbell,
            int maxExposedBytes) {
        boolean shared = users.isOwn(listener.user());
        Runnable learn = new Runnable() {
            @Override
            public void run() {
                if (segment.isMappedByB()) {
                    if (segment.peer() == null) {
                        // If the peer passes its process, it does so before it sets the segment mapped.
                        doorbell.takePassed();
                    }
                    remember(segment, name, version, doorbell, remote);
                }
            }
        };
        Runnable release = new Runnable() {
            @Override
            public void run() {
                pool.release(segment, doorbell);
            }
        };
        return new SoftEndpoint(
                processes,
                listener.processId(),
                arenas(shared, segment, true, doorbell),
                shared ? process : null,
                segment,
                true,
                version,
                local,
                remote,
                doorbell,
                new Reserves(budget, segment, true, maxExposedBytes),
                learn,
                release);
    }

    /**
     * {@return the arenas that one connection reaches; null if its peer shares none} {@code shared}: the peer has been
     * passed {@link #process}, or is to be: then the ends show each other signs, and reach memory of each other's
     * programs.
     */
    private @Nullable EndpointArenas arenas(boolean shared, Segment segment, boolean isA, Doorbell doorbell) {
        return shared
                ? new EndpointArenas(arenas, peerArenas, segment, new Windows(segment.words(), isA), doorbell)
                : null;
    }

    private void remember(Segment segment, byte[] name, int version, Doorbell doorbell, InetSocketAddress remote) {
        PeerProcess peer = segment.peer();
        ListenerPage page = peer == null ? null : peer.page(segment.page());
        if (peer != null && page != null && peer.isSeen() && !listeners.isKnown(remote)) {
            if (peer.name().token() != process.token()) { // This process does not outlive itself.
                peer.watch(doorbell.peerProcess());
            }
            listeners.remember(remote, new KnownListeners.Listener(name, version, peer, page));
        }
    }

    /** {@return the accepting end} {@code shared}: whether the peer has been passed {@link #process}. */
    Endpoint accepted(
            Segment segment,
            boolean shared,
            int version,
            HelloDescriptor.Hello hello,
            Doorbell doorbell,
            int maxExposedBytes) {
        Runnable release = new Runnable() {
            @Override
            public void run() {
                doorbell.close();
                cache.release(segment);
            }
        };
        return new SoftEndpoint(
                processes,
                PeerProcess.UNSEEN,
                arenas(shared, segment, false, doorbell),
                shared ? process : null,
                segment,
                false,
                version,
                hello.server(),
                hello.client(),
                doorbell,
                new Reserves(budget, segment, false, maxExposedBytes),
                NOTHING,
                release);
    }
}
