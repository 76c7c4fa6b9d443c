package org.exsockets.verbs.soft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Function;
import org.exsockets.verbs.Endpoint;

/** What the connections of a device share at their ends in this process, and their making. Thread-safe. */
final class OwnEnds {
    private final int user = UnixSockets.effectiveUser();
    private final MachineMemory machine;
    private final OwnProcess process = new OwnProcess();
    private final PeerProcesses processes = new PeerProcesses();
    private final KnownListeners listeners = new KnownListeners(processes);
    private final SegmentPool pool;
    private final SegmentCache cache;
    private final Arenas arenas;
    private final PeerArenas peerArenas = new PeerArenas();

    /** @throws IOException if there is no memory or descriptor for what they share */
    OwnEnds(MachineMemory machine) throws IOException {
        this(machine, SegmentCache::new);
    }

    OwnEnds(MachineMemory machine, Function<PeerProcesses, SegmentCache> caches) throws IOException {
        this.machine = machine;
        this.pool = new SegmentPool(machine, process, processes);
        this.arenas = new Arenas(machine);
        this.cache = caches.apply(processes);
    }

    /** {@return the effective user, whose processes may connect} */
    int user() {
        return user;
    }

    OwnProcess process() {
        return process;
    }

    KnownListeners listeners() {
        return listeners;
    }

    SegmentPool pool() {
        return pool;
    }

    SegmentCache cache() {
        return cache;
    }

    Arenas arenas() {
        return arenas;
    }

    PeerProcesses processes() {
        return processes;
    }

    PeerArenas peerArenas() {
        return peerArenas;
    }

    /**
     * {@return the connecting end}
     *
     * @param name of the listener that has been reached
     * @param processId of its process; 0 if this process does not see that
     */
    Endpoint connected(
            Segment segment,
            byte[] name,
            int version,
            int processId,
            InetSocketAddress local,
            InetSocketAddress remote,
            Doorbell doorbell,
            int maxExposedBytes) {
        Reserves reserves = new Reserves(machine, segment, true, maxExposedBytes);
        return new SoftEndpoint(this, segment, true, true, version, local, remote, doorbell, reserves, () -> {
            if (segment.isMappedByB()) {
                if (segment.peer() == null) {
                    doorbell.takePassed(); // It has passed its process, if it does so, before it has said that it is
                    // mapped.
                }
                remember(segment, name, version, processId, remote);
            }
            pool.release(segment, doorbell);
        });
    }

    private void remember(Segment segment, byte[] name, int version, int processId, InetSocketAddress remote) {
        PeerProcess peer = segment.peer();
        ListenerPage page = peer == null ? null : peer.page(segment.page());
        if (page != null && processId != 0 && !listeners.isKnown(remote)) {
            listeners.remember(remote, new KnownListeners.Listener(name, version, processId, peer, page));
        }
    }

    /**
     * {@return the accepting end}
     *
     * @param shared whether the peer has been passed {@link #process}
     */
    Endpoint accepted(
            Segment segment,
            boolean shared,
            int version,
            HelloDescriptor.Hello hello,
            Doorbell doorbell,
            int maxExposedBytes) {
        Reserves reserves = new Reserves(machine, segment, false, maxExposedBytes);
        return new SoftEndpoint(
                this, segment, false, shared, version, hello.server(), hello.client(), doorbell, reserves, () -> {
                    doorbell.close();
                    cache.release(segment);
                });
    }
}
