package org.exsockets.verbs.soft.meet;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.layout.HelloDescriptor;
import org.exsockets.verbs.soft.layout.HelloDescriptor.Hello;
import org.exsockets.verbs.soft.ring.ClientPorts;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.ListenerPage;
import org.exsockets.verbs.soft.shared.Segment;
import org.jspecify.annotations.Nullable;

/** The acceptor's side of one hand-shake: reads the hello, checks it, maps the segment. One thread at a time. */
final class HelloReader {
    /** A running client writes its hello within a microsecond; a preempted one needs the core. */
    private static final int SOON_ATTEMPTS = 200;

    /**
     * Longer than a tick of the scheduler with 250 or 1,000 a second. For a shorter sleep the kernel sets its timer
     * anew, twice: in a virtual machine that took 16 µs, more than half of what the connection takes.
     */
    static final long SOON_NS = 5_000_000;

    /** Descriptors of a hello: the segment, the client's process. */
    private static final int MAX_PASSED = 2;

    /** How often a descriptor may be missing although this process has room for it, before it is refused. */
    private static final int MAX_MISSING = 3;

    private static final int NONE = -1;

    final LocalSocket socket;
    final Credentials client;
    private final OwnEnds ends;
    private final EndpointParameters parameters;
    private final InetSocketAddress local;
    private final LocalAddresses localAddresses;

    /** Null if the listener has none. */
    private final @Nullable ListenerPage page;

    final long sinceNs = System.nanoTime();
    private final byte[] bytes = new byte[HelloDescriptor.LENGTH];
    private int read;
    private int missing;
    private @Nullable SystemFailure lack;

    /**
     * Descriptors that have come; {@link #NONE}: none. For a hello without descriptors they may be those of the
     * client's next message: a peek at a message to its end shows what comes with the next one. They come again with
     * that.
     */
    private final int[] passed = {NONE, NONE};

    long proof;

    /**
     * @param client at the other end of {@code socket}, who may be a peer
     * @param local the address of the listener
     */
    HelloReader(
            LocalSocket socket,
            Credentials client,
            OwnEnds ends,
            EndpointParameters parameters,
            InetSocketAddress local,
            LocalAddresses localAddresses,
            @Nullable ListenerPage page) {
        this.socket = socket;
        this.client = client;
        this.ends = ends;
        this.parameters = parameters;
        this.local = local;
        this.localAddresses = localAddresses;
        this.page = page;
    }

    /** What it could not be accepted for want of; null: it is tried again. */
    void lacks(@Nullable SystemFailure resources) {
        lack = resources;
    }

    /** {@return the want of descriptors that it waits behind; null if it is another want, or none} */
    @Nullable
    SystemFailure lackOfDescriptors() {
        SystemFailure latest = lack;
        return latest != null && latest.isWantOfDescriptors() ? latest : null;
    }

    /** As {@link #tryRead}, but waits a moment for a client that is about to write. */
    @Nullable
    Endpoint readSoon() throws IOException {
        return Threads.currentIsVirtual() ? readYielding() : readPolling();
    }

    /** The thread sleeps until the hello comes, so that the client has the core. */
    private @Nullable Endpoint readPolling() throws IOException {
        int ready = DescriptorPoll.poll(socket.descriptor(), SOON_NS);
        if (ready < 0) {
            throw new IOException("hello: poll failed: error=" + -ready);
        }
        return tryRead();
    }

    private @Nullable Endpoint readYielding() throws IOException {
        for (int attempt = 0; attempt < SOON_ATTEMPTS; attempt++) {
            Endpoint endpoint = tryRead();
            if (endpoint != null) {
                return endpoint;
            }
            Thread.yield();
        }
        return null;
    }

    /**
     * Reads what is there.
     *
     * @return null if the hello is not complete yet
     * @throws SystemFailure with {@link SystemFailure#isWantOfResources} if it cannot be accepted now; this may be
     *     called again
     * @throws IOException if it is not acceptable, or the client has closed
     */
    @Nullable
    Endpoint tryRead() throws IOException {
        if (read < bytes.length && !readMore()) {
            return null;
        }
        try {
            Endpoint endpoint = accept(HelloDescriptor.decode(bytes));
            close(passed);
            return endpoint;
        } catch (IllegalArgumentException e) {
            throw refusal(String.valueOf(e.getMessage()));
        }
    }

    private boolean readMore() throws IOException {
        int[] more = {NONE, NONE};
        int n;
        try {
            n = socket.receive(bytes, read, more);
        } catch (SystemFailure e) {
            close(more);
            if (e.error() == SystemFailure.NOT_ALLOWED && ++missing < MAX_MISSING) {
                return false; // It is still there.
            }
            if (e.error() == SystemFailure.TOO_LONG || e.error() == SystemFailure.NOT_ALLOWED) {
                throw refusal("hello: more descriptors have come than it may have, or one that this process may not");
            }
            throw e;
        }
        if (n == 0) {
            throw refusal("hello: the client closed before its hello was complete: bytes=" + read);
        }
        read += Math.max(0, n);
        for (int each : more) {
            if (each != NONE) {
                keep(each);
            }
        }
        return read == bytes.length;
    }

    private void keep(int descriptor) {
        for (int i = 0; i < MAX_PASSED; i++) {
            if (passed[i] == NONE) {
                passed[i] = descriptor;
                return;
            }
        }
        LocalSocket.closePassed(descriptor);
    }

    /** For the last user. Of those who have begun a hello the first is told of in the log. */
    void refuse(Throwable cause) {
        if (read > 0) {
            Log.warnFirst("soft-refused", "accept over soft: connection refused: " + cause.getMessage());
        } else if (Log.debugEnabled()) {
            Log.debug("accept over soft: connection refused: " + cause.getMessage());
        }
        drop();
    }

    /** As {@link #refuse}, without a word. */
    void drop() {
        close(passed);
        socket.close();
    }

    private static void close(int[] descriptors) {
        for (int i = 0; i < MAX_PASSED; i++) {
            if (descriptors[i] != NONE) {
                LocalSocket.closePassed(descriptors[i]);
                descriptors[i] = NONE;
            }
        }
    }

    private Endpoint accept(Hello hello) throws IOException {
        int version = Math.min(hello.maxVersion(), parameters.maxVersion());
        check(version >= hello.minVersion() && version >= parameters.minVersion(), "no common version", hello);
        int slots = hello.slots();
        int region = hello.regionBytes();
        check(
                EndpointParameters.isPowerOfTwo(
                        slots, EndpointParameters.MIN_RECEIVE_DEPTH, EndpointParameters.MAX_RECEIVE_DEPTH),
                "bad number of slots",
                hello);
        check(
                EndpointParameters.isPowerOfTwo(
                        region, EndpointParameters.MIN_EXPOSED_BYTES, EndpointParameters.MAX_EXPOSED_BYTES),
                "bad region length",
                hello);
        int reserve = hello.reserveBytes();
        check(
                reserve == 0 || reserve > region && reserve <= EndpointParameters.MAX_EXPOSED_BYTES,
                "bad reserve",
                hello);
        check(belongsHere(hello.server()), "not an address of this listener", hello);
        check(canBeClients(hello.client()), "not an address that a client can have", hello);
        boolean isNew = hello.passed() > 0;
        check(!isNew || passed[0] != NONE, "it has come without the segment", hello);
        Segment segment = isNew ? map(hello) : ends.cache.acquire(hello, client.processId());
        if (segment == null) {
            throw refusal("hello: a segment that this process does not know: " + hello);
        }
        try {
            check(segment.isFormatted(), "not a segment of this layout", hello);
            check(segment.proof() == hello.proof(), "not the one who made the segment ready", hello);
            Doorbell doorbell = new Doorbell(socket);
            boolean shared = segment.peer() != null && (!isNew || doorbell.pass(ends.process.descriptor()));
            Endpoint endpoint = ends.accepted(segment, shared, version, hello, doorbell, parameters.maxExposedBytes());
            check(segment.setMappedByB(shared ? page : null), "the client has given up", hello);
            if (segment.peer() == null) {
                doorbell.pass(DescriptorPoll.NONE); // The answer for which clients of other users wait.
            }
            proof = hello.proof();
            return endpoint;
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            if (isNew) {
                ends.cache.drop(segment);
            } else {
                ends.cache.release(segment);
            }
            throw e;
        }
    }

    /** {@return whether this is an address of the listener} */
    private boolean belongsHere(InetSocketAddress destination) {
        return destination.getPort() == local.getPort()
                && (local.getAddress().isAnyLocalAddress()
                        ? localAddresses.containsByNow(destination.getAddress())
                        : destination.getAddress().equals(local.getAddress()));
    }

    /** {@return whether a client can have this address over TCP, on which programs rely} */
    private boolean canBeClients(InetSocketAddress client) {
        return ClientPorts.mayHave(client.getPort()) && localAddresses.containsByNow(client.getAddress());
    }

    private Segment map(Hello hello) throws IOException {
        boolean sharesProcess =
                ends.users.isOwn(client.user()) && hello.token() != 0 && hello.passed() > 1 && passed[1] != NONE;
        Segment segment = ends.cache.map(hello, client.processId(), passed[0], passed[1], sharesProcess);
        NativeMemory.close(passed[0]); // It is what it should be.
        passed[0] = NONE;
        return segment;
    }

    private static void check(boolean valid, String problem, Hello hello) throws IOException {
        if (!valid) {
            throw refusal("hello: " + problem + ": " + hello);
        }
    }

    /** {@return without a stack trace, as there can be thousands a second} */
    private static ConnectFailure refusal(String why) {
        return new ConnectFailure(ConnectFailure.Kind.FAILED, why);
    }
}
