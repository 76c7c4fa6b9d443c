package org.exsockets.verbs.soft;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.exsockets.observe.Log;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.KnownListeners.Listener;

/** One connect over the software device. Used by one thread, once. */
final class SoftConnect {
    private static final int NONE = -1;

    private final OwnEnds ends;
    private final InetSocketAddress local;
    private final boolean believed;
    private final InetSocketAddress remote;
    private final EndpointParameters parameters;

    /** Whom the destination led to lately; null: nobody, or another one by now. */
    private Listener known;

    // What has been reached.
    private byte[] name;
    private int version;
    private int processId;

    /** Null: none has been taken. */
    private Segment segment;

    /** The server may have heard of it. */
    private boolean told;

    /** @param believed whether servers believe that this is the client's address */
    SoftConnect(
            OwnEnds ends,
            InetSocketAddress local,
            boolean believed,
            InetSocketAddress remote,
            EndpointParameters parameters,
            Listener known) {
        this.ends = ends;
        this.local = local;
        this.believed = believed;
        this.remote = remote;
        this.parameters = parameters;
        this.known = known;
    }

    Endpoint run() throws ConnectFailure {
        if (known != null && (known.version() < parameters.minVersion() || known.version() > parameters.maxVersion())) {
            known = null;
        }
        if (known != null && known.page().isFull()) {
            throw new ConnectFailure(
                    Kind.PEER_EXHAUSTED,
                    "connect: the server has no room for another segment (ulimit -n, vm.max_map_count): remote="
                            + remote,
                    null);
        }
        LocalSocket socket = open();
        try {
            if (known != null) {
                // Before it connects: the server looks for the hello as soon as it has.
                segment = acquireSegment();
            }
            reach(socket);
            if (!believed) {
                throw new ConnectFailure(
                        Kind.UNSUPPORTED_ADDRESS, "connect: servers believe it over TCP only: local=" + local, null);
            }
            if (segment == null) {
                segment = acquireSegment();
            }
            return shakeHands(socket);
        } catch (ConnectFailure | OutOfMemoryError e) {
            giveBack(socket);
            throw e;
        } catch (IOException e) {
            giveBack(socket);
            throw new ConnectFailure(Kind.FAILED, "connect: hand-shake failed: remote=" + remote, e);
        }
    }

    private void giveBack(LocalSocket socket) {
        socket.close();
        if (segment != null && told) {
            ends.pool().discard(segment);
        } else if (segment != null) {
            ends.pool().giveBack(segment);
        }
    }

    private static LocalSocket open() throws ConnectFailure {
        try {
            return LocalSocket.open();
        } catch (SystemFailure e) {
            throw new ConnectFailure(Kind.NO_DESCRIPTORS, "connect: no Unix-domain socket: " + e.getMessage(), e);
        }
    }

    private void reach(LocalSocket socket) throws IOException {
        if (known != null) {
            if (reaches(socket, known.name(), known.version())) {
                processId = Credentials.check(socket, ends.user());
                if (processId != known.processId()) {
                    forget();
                }
                return;
            }
            forget();
        }
        for (int each = parameters.maxVersion(); each >= parameters.minVersion(); each--) {
            for (byte[] candidate : ListenerNames.reachedBy(remote, each)) {
                if (reaches(socket, candidate, each)) {
                    processId = Credentials.check(socket, ends.user());
                    return;
                }
            }
        }
        throw new ConnectFailure(Kind.REFUSED, "connect: nobody listens: remote=" + remote, null);
    }

    /** Its process was killed, so that its page still says that it listens. */
    private void forget() {
        Log.debug("connect over soft: a known listener is gone: remote=" + remote);
        ends.listeners().forget(remote, known);
        known = null;
        ends.pool().giveBack(segment); // Another process does not have it mapped.
        segment = null;
    }

    private boolean reaches(LocalSocket socket, byte[] candidate, int itsVersion) throws IOException {
        int failure = socket.connect(candidate);
        if (failure == -SystemFailure.REFUSED) {
            return false;
        }
        if (failure < 0) {
            throw new ConnectFailure(
                    failure == -SystemFailure.AGAIN ? Kind.BACKLOG_FULL : Kind.FAILED,
                    "connect: remote=" + remote + ", " + NativeMemory.message(-failure),
                    null);
        }
        name = candidate;
        version = itsVersion;
        return true;
    }

    private Endpoint shakeHands(LocalSocket socket) throws IOException {
        boolean isNew = segment.mapping().descriptor() != NONE;
        byte[] hello = HelloDescriptor.encode(new HelloDescriptor.Hello(
                version,
                version,
                segment.slots(),
                segment.regionBytes(),
                segment.reserveBytes(),
                isNew ? 2 : 0,
                local,
                remote,
                segment.number(),
                segment.proof(),
                ends.process().token()));
        send(socket, hello, isNew);
        told = true;
        segment.mapping().closeDescriptor();
        if (known != null) {
            known.page().knock(segment.proof());
        }
        return ends.connected(
                segment, name, version, processId, local, remote, new Doorbell(socket), parameters.maxExposedBytes());
    }

    private void send(LocalSocket socket, byte[] hello, boolean isNew) throws IOException {
        try {
            int sent = isNew
                    ? socket.send(
                            hello,
                            segment.mapping().descriptor(),
                            ends.process().descriptor())
                    : socket.send(hello, NONE, NONE);
            if (sent != hello.length) {
                throw new ConnectFailure(Kind.FAILED, "connect: hello not taken whole: remote=" + remote, null);
            }
        } catch (SystemFailure e) {
            boolean tooMany = e.error() == SystemFailure.TOO_MANY_PASSED;
            throw new ConnectFailure(
                    tooMany ? Kind.NO_DESCRIPTORS : Kind.FAILED,
                    "connect: hello not sent: remote=" + remote + ", " + e.getMessage(),
                    e);
        }
    }

    private Segment acquireSegment() throws ConnectFailure {
        try {
            return ends.pool().acquire(parameters, known == null ? null : known.process());
        } catch (IOException e) {
            boolean refused = e instanceof SystemFailure failure && failure.isWantOfResources();
            throw new ConnectFailure(
                    refused ? Kind.NO_DESCRIPTORS : Kind.NO_MEMORY, "connect: no segment: " + e.getMessage(), e);
        }
    }
}
