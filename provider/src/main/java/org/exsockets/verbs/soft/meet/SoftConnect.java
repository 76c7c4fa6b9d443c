package org.exsockets.verbs.soft.meet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.ShortSleeps;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.HelloDescriptor;
import org.exsockets.verbs.soft.meet.KnownListeners.Listener;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.Segment;
import org.jspecify.annotations.Nullable;

/** One connect over the software device. Used by one thread, once. */
public final class SoftConnect {
    private static final int NONE = -1;

    /** Between two looks of a virtual thread for the answer of another user's server. */
    private static final long LOOK_NS = 50_000;

    private final OwnEnds ends;
    private final InetSocketAddress local;
    private final boolean believed;
    private final InetSocketAddress remote;
    private final EndpointParameters parameters;

    /** The listener that the destination led to lately; null: unknown, or another one by now. */
    private @Nullable Listener known;

    /** The process at the other end of the socket. */
    private final long[] peer = new long[1];

    // The listener that has been reached.
    private byte @Nullable [] name;
    private int version;

    @SuppressWarnings("NullAway.Init") // By reach.
    private Credentials listener;

    /** Null: none has been taken. */
    private @Nullable Segment segment;

    /** The server may know of the segment. */
    private boolean told;

    /** @param believed whether servers believe that this is the client's address */
    public SoftConnect(
            OwnEnds ends,
            InetSocketAddress local,
            boolean believed,
            InetSocketAddress remote,
            EndpointParameters parameters) {
        this.ends = ends;
        this.local = local;
        this.believed = believed;
        this.remote = remote;
        this.parameters = parameters;
    }

    /** Connects. {@return the connecting end} */
    public Endpoint run() throws ConnectFailure {
        Listener found = ends.listeners.find(remote);
        try {
            known = found;
            return connect();
        } finally {
            ends.listeners.release(found);
        }
    }

    private Endpoint connect() throws ConnectFailure {
        if (known != null && (known.version() < parameters.minVersion() || known.version() > parameters.maxVersion())) {
            known = null;
        }
        if (known != null && known.page().isFull()) {
            throw new ConnectFailure(
                    Kind.PEER_EXHAUSTED,
                    "connect: the server has no room for another segment (ulimit -n, vm.max_map_count, exs.memory): remote="
                            + remote);
        }
        LocalSocket socket = open();
        try {
            if (known != null) {
                // Before the connect: the server looks for the hello right after it.
                segment = acquireSegment();
            }
            reach(socket);
            if (!believed) {
                throw new ConnectFailure(
                        Kind.UNSUPPORTED_ADDRESS, "connect: servers believe it over TCP only: local=" + local);
            }
            if (segment == null) {
                segment = acquireSegment();
            }
            return shakeHands(socket, segment);
        } catch (ConnectFailure | RuntimeException | Error e) {
            giveBack(socket);
            throw e;
        } catch (IOException e) {
            giveBack(socket);
            throw new ConnectFailure(Kind.FAILED, "connect: hand-shake failed: remote=" + remote, e);
        }
    }

    private void giveBack(LocalSocket socket) {
        if (name == null) {
            ends.giveBack(socket);
        } else {
            socket.close();
        }
        if (segment != null && told) {
            ends.pool.discard(segment);
        } else if (segment != null) {
            ends.pool.giveBack(segment);
        }
    }

    private LocalSocket open() throws ConnectFailure {
        try {
            return ends.openSocket();
        } catch (SystemFailure e) {
            throw new ConnectFailure(Kind.NO_DESCRIPTORS, "connect: no Unix-domain socket: " + e.getMessage(), e);
        }
    }

    private void reach(LocalSocket socket) throws IOException {
        find(socket);
        listener = Credentials.of(peer[0]);
        if (!ends.users.mayBePeer(listener.user())) {
            throw new ConnectFailure(
                    Kind.OTHER_USER,
                    "connect: the listener is of another user, whom exs.peers does not allow: remote=" + remote
                            + ", listener=" + Integer.toUnsignedString(listener.user()) + ", own="
                            + Integer.toUnsignedString(ends.users.own()));
        }
        if (known != null && !known.is(listener.processId())) {
            forget(known);
        }
        if (known == null) {
            PortOwner.check(remote, listener.user(), ends.users);
        }
    }

    /** Connects to a listener that TCP would lead to. */
    private void find(LocalSocket socket) throws IOException {
        if (known != null) {
            if (reaches(socket, known.name(), known.version())) {
                return;
            }
            forget(known);
        }
        for (int each = parameters.maxVersion(); each >= parameters.minVersion(); each--) {
            for (byte[] candidate : ListenerNames.reachedBy(remote, each)) {
                if (reaches(socket, candidate, each)) {
                    return;
                }
            }
        }
        throw new ConnectFailure(Kind.REFUSED, "connect: nobody listens: remote=" + remote);
    }

    /** For a listener whose process was killed: the page still says that it listens. */
    private void forget(Listener gone) {
        Log.debug("connect over soft: a known listener is gone: remote=" + remote);
        ends.listeners.forget(remote, gone);
        known = null;
        if (segment != null) {
            ends.pool.giveBack(segment); // Another process does not have it mapped.
            segment = null;
        }
    }

    private boolean reaches(LocalSocket socket, byte[] candidate, int itsVersion) throws IOException {
        int failure = socket.connect(candidate, peer);
        if (failure == -SystemFailure.REFUSED) {
            return false;
        }
        if (failure < 0) {
            throw new ConnectFailure(
                    failure == -SystemFailure.AGAIN ? Kind.BACKLOG_FULL : Kind.FAILED,
                    "connect: remote=" + remote + ", " + NativeMemory.message(-failure));
        }
        name = candidate;
        version = itsVersion;
        return true;
    }

    private Endpoint shakeHands(LocalSocket socket, Segment segment) throws IOException {
        int passed = segment.mapping().descriptor();
        boolean isNew = passed != NONE;
        boolean shared = ends.users.isOwn(listener.user());
        byte[] hello = HelloDescriptor.encode(new HelloDescriptor.Hello(
                version,
                version,
                segment.slots(),
                segment.regionBytes(),
                segment.reserveBytes(),
                !isNew ? 0 : shared ? 2 : 1,
                local,
                remote,
                segment.number(),
                segment.proof(),
                shared ? ends.process.token() : 0));
        send(socket, hello, passed, isNew && shared ? ends.process.descriptor() : NONE);
        told = true;
        segment.mapping().closeDescriptor();
        if (!shared) {
            awaitAnswer(socket, segment);
        }
        if (known != null) {
            known.page().knock(segment.proof());
        }
        return ends.connected(
                segment,
                Objects.requireNonNull(name),
                version,
                listener,
                local,
                remote,
                new Doorbell(socket),
                parameters.maxExposedBytes());
    }

    /**
     * Another user's server may refuse, and says so when it accepts; until then a fallback to TCP loses nothing. Throws
     * if it has refused, or has not answered in time: it cannot accept this connection any more.
     */
    private void awaitAnswer(LocalSocket socket, Segment segment) throws ConnectFailure {
        boolean ready = awaitReady(socket, ends.users.answerNs());
        if (segment.giveUpByA()) {
            throw ready
                    ? refusal(null)
                    : new ConnectFailure(Kind.TIMED_OUT, "connect: " + who() + ", does not answer: remote=" + remote);
        }
    }

    private static boolean awaitReady(LocalSocket socket, long limitNs) {
        if (Threads.currentIsVirtual()) { // It must not keep its carrier in the kernel.
            return new ShortSleeps(LOOK_NS) {
                @Override
                protected boolean isOver() {
                    return DescriptorPoll.poll(socket.descriptor(), 0) > 0;
                }
            }.await(limitNs);
        }
        int ready = 0;
        long startNs = System.nanoTime();
        // Again: a signal ends a poll, too.
        for (long leftNs = limitNs; ready == 0 && leftNs > 0; leftNs = limitNs - (System.nanoTime() - startNs)) {
            ready = DescriptorPoll.poll(socket.descriptor(), leftNs);
        }
        return ready > 0;
    }

    private String who() {
        return "the listener, of user " + Integer.toUnsignedString(listener.user());
    }

    private ConnectFailure refusal(@Nullable Throwable cause) {
        return new ConnectFailure(
                Kind.OTHER_USER, "connect: " + who() + ", refuses this user's connections: remote=" + remote, cause);
    }

    private void send(LocalSocket socket, byte[] hello, int first, int second) throws IOException {
        try {
            if (socket.send(hello, first, second) != hello.length) {
                throw new ConnectFailure(Kind.FAILED, "connect: hello not taken whole: remote=" + remote);
            }
        } catch (SystemFailure e) {
            if (e.error() == SystemFailure.PEER_CLOSED && !ends.users.isOwn(listener.user())) {
                throw refusal(e);
            }
            boolean tooMany = e.error() == SystemFailure.TOO_MANY_PASSED;
            throw new ConnectFailure(
                    tooMany ? Kind.NO_DESCRIPTORS : Kind.FAILED,
                    "connect: hello not sent: remote=" + remote + ", " + e.getMessage(),
                    e);
        }
    }

    private Segment acquireSegment() throws ConnectFailure {
        try {
            return ends.acquire(parameters, known == null ? null : known.process());
        } catch (IOException e) {
            if (e instanceof ConnectFailure noRoom) {
                throw noRoom;
            }
            boolean refused = e instanceof SystemFailure failure && failure.isWantOfResources();
            throw new ConnectFailure(
                    refused ? Kind.NO_DESCRIPTORS : Kind.NO_MEMORY, "connect: no segment: " + e.getMessage(), e);
        }
    }
}
