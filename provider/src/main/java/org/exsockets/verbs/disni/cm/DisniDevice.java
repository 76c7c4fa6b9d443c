package org.exsockets.verbs.disni.cm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.disni.CmEventDescriptor;
import org.exsockets.verbs.disni.DeviceAttributes;
import org.exsockets.verbs.disni.DisniObjects;
import org.exsockets.verbs.disni.NativeLibrary;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.exsockets.verbs.disni.data.Adapter;
import org.exsockets.verbs.disni.data.AdapterNeeds;
import org.exsockets.verbs.disni.data.Bell;
import org.exsockets.verbs.disni.data.ImmediatesTrial;
import org.exsockets.verbs.disni.memory.ConnectionSizes;
import org.exsockets.verbs.disni.memory.GrowthBudget;
import org.exsockets.verbs.disni.memory.LockedMemory;
import org.exsockets.verbs.disni.memory.RegistrationBudget;
import org.jspecify.annotations.Nullable;

/**
 * RDMA adapters through DiSNI, libibverbs and librdmacm. Thread-safe.
 *
 * <p>All adapters of the machine are one device: the connection manager's routing finds the one that leads to an
 * address. An adapter is opened with its first connection.
 */
public final class DisniDevice implements Device {
    /** Of this device in settings and logs. */
    public static final String NAME = "disni";

    /**
     * How often a message is repeated for which the peer's adapter has no receive, 1.28 ms apart. A receive is posted
     * before the credit for its message is given, so only a driver or firmware that is late can lack it: 7 ms bound
     * that. Not 7, which stands for repetitions without end: a peer that breaks the rule is to be told from a slow one.
     */
    static final int RNR_RETRIES = 6;

    /** Retries of an unanswered packet: one less than the maximum, which soft-RoCE takes for retries without end. */
    private static final int RETRIES = 6;

    /**
     * How long a packet waits for its acknowledgement: 4.096 µs times 2^19, which is 2.1 s, so that {@link #RETRIES}
     * are over after 15 s. Kernels choose 3.8 to 15 s for the same path, each its own.
     */
    private static final int ACK_TIMEOUT = 19;

    private static final int NS_PER_US = 1_000;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int ETIMEDOUT = 110;
    private static final long CLOSE_LIMIT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long CLOSE_LOOK_MS = 1;

    /** The last part of the time for a connect is for a second request. */
    private static final int PARTS_TO_ASK_AGAIN = 5;

    /** For {@link Verbs#listen}: as many as the kernel allows. */
    private static final int KERNELS_BACKLOG = 0;

    private final DisniObjects objects;
    final DeviceThread thread;
    private final int connectTimeoutMs;
    private final RegistrationBudget budget;
    private final GrowthBudget growth = new GrowthBudget(Path.of("/"));

    /** Adapters in use, by the handle of their context. */
    @GuardedBy("adapters")
    private final Map<Long, Adapter> adapters = new HashMap<>();

    /** Why others are not used. */
    @GuardedBy("adapters")
    private final Map<Long, String> unfit = new HashMap<>();

    /** @throws IOException if this machine has no RDMA, or its libraries are missing; the message says what to do */
    public DisniDevice(DeviceOptions options) throws IOException {
        NativeLibrary.use(options);
        NativeLibrary.load();
        requireOneThatServes(Verbs.deviceNames());
        this.objects = new DisniObjects();
        try {
            this.thread = new DeviceThread();
        } catch (VerbsException e) {
            throw new IOException(
                    "no RDMA connection manager: " + e.getMessage() + "; load the kernel module rdma_ucm and make"
                            + " /dev/infiniband/rdma_cm accessible",
                    e);
        }
        this.connectTimeoutMs = options.connectTimeoutMs();
        this.budget = new RegistrationBudget(
                options.registeredBytes() == DeviceOptions.AUTO
                        ? RegistrationBudget.automaticBytes(Path.of("/"))
                        : options.registeredBytes(),
                System::nanoTime);
        thread.measureWakeUp();
        Log.debug("disni: sleeping and being woken costs about " + thread.wakeUpNs() / NS_PER_US + " us");
    }

    /** Without one no connect is tried. An adapter that cannot be examined now may serve later. */
    private static void requireOneThatServes(String[] names) throws IOException {
        StringBuilder lacks = new StringBuilder();
        for (String name : names) {
            String lack;
            try {
                lack = AdapterNeeds.lack(DeviceAttributes.of(name));
            } catch (VerbsException e) {
                Log.debug("examine " + name + ": " + e.getMessage());
                return;
            }
            if (lack == null) {
                return;
            }
            lacks.append(lacks.isEmpty() ? "" : "; ").append(name).append(": ").append(lack);
        }
        throw new IOException(
                names.length == 0
                        ? "there is no RDMA device on this machine (ibv_devices shows none)"
                        : "no RDMA device of this machine can be used: " + lacks);
    }

    @Override
    public String name() {
        return NAME;
    }

    /** {@return an address as the connection manager reports it, with the port of TCP instead of its own} */
    static InetSocketAddress address(byte[] addressAndPort, int port) throws UnknownHostException {
        return new InetSocketAddress(
                InetAddress.getByAddress(Arrays.copyOf(addressAndPort, addressAndPort.length - Short.BYTES)), port);
    }

    static void destroyId(long id) {
        try {
            Verbs.destroyId(id);
        } catch (VerbsException e) {
            Log.debug("destroy id: " + e.getMessage());
        }
    }

    /** Before this end connects or accepts; it does not tell the other one. */
    static void setAckTimeout(long id) {
        try {
            Verbs.setOption(id, Verbs.OPTION_ACK_TIMEOUT, ACK_TIMEOUT);
        } catch (VerbsException e) {
            Log.debug("the kernel's own acknowledgement time-out holds: " + e.getMessage());
        }
    }

    private static int scope(InetAddress address) {
        return address instanceof Inet6Address scoped ? scoped.getScopeId() : 0;
    }

    private static Kind kind(Exception failure) {
        if (!(failure instanceof VerbsException e)) {
            return Kind.FAILED;
        }
        if (VerbsException.isShortage(e)) {
            return LockedMemory.isLacking(e, Path.of("/")) ? Kind.LOCKED_MEMORY : Kind.NO_MEMORY;
        }
        return switch (e.errno()) {
            case VerbsException.ENOMEM -> Kind.NO_MEMORY;
            case VerbsException.EMFILE, VerbsException.ENFILE -> Kind.NO_DESCRIPTORS;
            default -> Kind.FAILED;
        };
    }

    /** {@return the adapter that an id is bound to, entered} */
    Adapter adapterOf(long id) throws IOException {
        long context = Verbs.context(id);
        synchronized (adapters) {
            Adapter adapter = adapters.get(context);
            if (adapter != null && adapter.enter()) {
                return adapter;
            }
            adapter = open(context, id);
            adapter.enter();
            adapters.put(context, adapter);
            thread.addAdapter(adapter);
            return adapter;
        }
    }

    @GuardedBy("adapters")
    private Adapter open(long context, long id) throws IOException {
        DeviceAttributes about = DeviceAttributes.of(context);
        String lack = unfit.containsKey(context) ? unfit.get(context) : AdapterNeeds.lack(about);
        if (lack == null) {
            Adapter made = new Adapter(objects, context, about, budget, growth);
            boolean serves = false;
            try {
                serves = about.transport() != DeviceAttributes.IWARP || ImmediatesTrial.succeeds(made, id);
            } finally {
                if (!serves) {
                    made.remove();
                }
            }
            if (serves) {
                return made;
            }
            lack = "it is an iWARP adapter without writes with immediate";
        }
        unfit.put(context, lack);
        throw new ConnectFailure(Kind.NO_ROUTE, about.name() + " cannot be used: " + lack, null);
    }

    @Override
    public boolean leadsTo(InetSocketAddress remote) {
        InetAddress host = remote.getAddress();
        // The connection manager resolves loopback addresses but finds no route for them.
        return !host.isLoopbackAddress() && !host.isMulticastAddress();
    }

    @Override
    public Endpoint connect(
            InetSocketAddress local,
            InetSocketAddress remote,
            EndpointParameters parameters,
            int limitMs,
            @Nullable Runnable onAnswer)
            throws ConnectFailure {
        int timeoutMs = Math.min(limitMs, connectTimeoutMs);
        EndpointParameters own = ConnectionSizes.ofAdapters(parameters);
        return connect(local, remote, own, timeoutMs, timeoutMs / PARTS_TO_ASK_AGAIN, onAnswer);
    }

    /**
     * As the other one, with a second request if the first has no answer. The kernel repeats one that was lost only
     * after 4.3 s; it knows no shorter time. A peer that is just slow has most of the time for its answer, and what it
     * does for a request that has been taken back ends at the queue pair. If the answer crosses that, the peer's program
     * sees a connection that ends at once, as after every connect that is given up.
     *
     * @param againMs how much of {@code timeoutMs} is kept for the second request
     */
    Endpoint connect(
            InetSocketAddress local,
            InetSocketAddress remote,
            EndpointParameters parameters,
            int timeoutMs,
            int againMs,
            @Nullable Runnable onAnswer)
            throws ConnectFailure {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        long firstNs = deadlineNs - TimeUnit.MILLISECONDS.toNanos(againMs);
        Endpoint first = tryConnect(local, remote, parameters, deadlineNs, firstNs, onAnswer);
        if (first != null) {
            return first;
        }
        if (System.nanoTime() - deadlineNs < 0) {
            Log.debug("connect: no answer over disni yet, asking again: remote=" + remote);
            Endpoint second = tryConnect(local, remote, parameters, deadlineNs, deadlineNs, onAnswer);
            if (second != null) {
                return second;
            }
        }
        throw failure(Kind.TIMED_OUT, remote, "no answer in time", null);
    }

    /**
     * @param answerNs when an answer is given up
     * @return null if there was none, or the request was rejected for what passes
     */
    private @Nullable Endpoint tryConnect(
            InetSocketAddress local,
            InetSocketAddress remote,
            EndpointParameters parameters,
            long deadlineNs,
            long answerNs,
            @Nullable Runnable onAnswer)
            throws ConnectFailure {
        DisniEndpoint endpoint;
        try {
            endpoint = thread.createId(id -> new DisniEndpoint(thread, id, null, onAnswer));
        } catch (VerbsException e) {
            throw failure(kind(e), remote, e.getMessage(), e);
        }
        boolean asked = false;
        try {
            if (parameters.trafficClass() != 0) {
                Verbs.setOption(endpoint.id, Verbs.OPTION_TOS, parameters.trafficClass());
            }
            resolve(endpoint, local, remote, deadlineNs);
            PrivateDataDescriptor.Hello own = ask(endpoint, local, remote, parameters);
            asked = true;
            complete(endpoint, local, remote, own, answerNs);
            return endpoint;
        } catch (ConnectFailure e) {
            endpoint.abandon();
            if (asked && (e.kind() == Kind.TIMED_OUT || e.kind() == Kind.PASSING && answerNs - deadlineNs < 0)) {
                return null;
            }
            throw e;
        } catch (IOException | RuntimeException e) {
            endpoint.abandon();
            throw failure(kind(e), remote, e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            endpoint.abandon();
            throw failure(Kind.NO_MEMORY, remote, "no memory outside the heap: " + e.getMessage(), e);
        }
    }

    private void resolve(DisniEndpoint endpoint, InetSocketAddress local, InetSocketAddress remote, long deadlineNs)
            throws IOException {
        int timeoutMs = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime()));
        InetAddress source = local.getAddress();
        boolean bound = !source.isAnyLocalAddress() && !source.isLoopbackAddress();
        InetAddress target = remote.getAddress();
        try {
            Verbs.resolveAddress(
                    endpoint.id,
                    bound ? source.getAddress() : null,
                    scope(source),
                    target.getAddress(),
                    scope(target),
                    remote.getPort(),
                    timeoutMs);
            require(endpoint, CmEventDescriptor.ADDR_RESOLVED, remote, deadlineNs);
            Verbs.resolveRoute(endpoint.id, timeoutMs);
        } catch (VerbsException e) {
            throw failure(Kind.NO_ROUTE, remote, e.getMessage(), e);
        }
        require(endpoint, CmEventDescriptor.ROUTE_RESOLVED, remote, deadlineNs);
    }

    /** {@return what this end has said of itself} */
    private PrivateDataDescriptor.Hello ask(
            DisniEndpoint endpoint, InetSocketAddress local, InetSocketAddress remote, EndpointParameters parameters)
            throws IOException {
        endpoint.prepare(adapterOf(endpoint.id), remote.getAddress(), parameters, parameters.receiveDepth());
        PrivateDataDescriptor.Hello own =
                endpoint.hello(parameters.minVersion(), parameters.maxVersion(), local.getPort(), remote.getPort());
        setAckTimeout(endpoint.id);
        Verbs.connect(endpoint.id, PrivateDataDescriptor.encode(own), RETRIES, RNR_RETRIES);
        return own;
    }

    private static void complete(
            DisniEndpoint endpoint,
            InetSocketAddress local,
            InetSocketAddress remote,
            PrivateDataDescriptor.Hello own,
            long answerNs)
            throws IOException {
        EndpointLife.Answer answer = require(endpoint, CmEventDescriptor.ESTABLISHED, remote, answerNs);
        PrivateDataDescriptor.Hello peer = answer.hello();
        if (peer == null) {
            throw failure(Kind.REFUSED, remote, "the listener is not one of EXS", null);
        }
        int version = peer.maxVersion();
        if (version != peer.minVersion()
                || version < own.minVersion()
                || version > own.maxVersion()
                || !EndpointParameters.isPowerOfTwo(
                        peer.receiveDepth(), EndpointParameters.MIN_RECEIVE_DEPTH, own.receiveDepth())
                || !EndpointParameters.isPowerOfTwo(
                        peer.exposedLength(),
                        EndpointParameters.MIN_EXPOSED_BYTES,
                        EndpointParameters.MAX_EXPOSED_BYTES)) {
            throw failure(Kind.FAILED, remote, "the listener answered what was not asked for: " + peer, null);
        }
        InetSocketAddress source = local.getAddress().isAnyLocalAddress()
                ? address(Verbs.sourceAddress(endpoint.id), local.getPort())
                : local;
        endpoint.meet(peer, version, source, remote);
    }

    private static EndpointLife.Answer require(
            DisniEndpoint endpoint, int event, InetSocketAddress remote, long deadlineNs) throws ConnectFailure {
        EndpointLife.Answer answer = endpoint.await(deadlineNs);
        if (answer == null) {
            throw failure(Kind.TIMED_OUT, remote, "no answer in time", null);
        }
        if (answer.event() == event) {
            return answer;
        }
        String what = "event=" + answer.event() + ", status=" + answer.status();
        throw switch (answer.event()) {
            case CmEventDescriptor.ADDR_ERROR ->
                answer.status() == -ETIMEDOUT
                        ? failure(Kind.TIMED_OUT, remote, "the host does not answer", null)
                        : failure(Kind.NO_ROUTE, remote, what, null);
            case CmEventDescriptor.ROUTE_ERROR -> failure(Kind.NO_ROUTE, remote, what, null);
            case CmEventDescriptor.UNREACHABLE, CmEventDescriptor.CONNECT_ERROR ->
                failure(Kind.TIMED_OUT, remote, what, null);
            case CmEventDescriptor.REJECTED -> rejected(answer, remote);
            default -> failure(Kind.FAILED, remote, what, null);
        };
    }

    /** All reasons of the kernel's but one pass by themselves: they tell of this connect, not of the listener. */
    static ConnectFailure rejected(EndpointLife.Answer answer, InetSocketAddress remote) {
        if (answer.status() == CmEventDescriptor.REJECT_NO_LISTENER) {
            return failure(Kind.REFUSED, remote, "nobody listens with EXS", null);
        }
        if (answer.status() != CmEventDescriptor.REJECT_BY_PEER) {
            return failure(Kind.PASSING, remote, "rejected by the peer's kernel: status=" + answer.status(), null);
        }
        String what = "rejected: " + answer.rejection();
        return switch (answer.rejection()) {
            case VERSION -> failure(Kind.VERSION, remote, what, null);
            case OTHER_PROTOCOL -> failure(Kind.OTHER_PROTOCOL, remote, what, null);
            case BACKLOG_FULL -> failure(Kind.BACKLOG_FULL, remote, what, null);
            // The kernel rejects in the same way if a listener has the port but not the address.
            case UNKNOWN -> failure(Kind.REFUSED, remote, "nobody listens with EXS", null);
            case NO_RESOURCES -> failure(Kind.NO_MEMORY, remote, "the peer has no resources left", null);
            case LOCKED_MEMORY -> failure(Kind.LOCKED_MEMORY, remote, "the peer has reached its limit", null);
            default -> failure(Kind.FAILED, remote, what, null);
        };
    }

    private static ConnectFailure failure(
            Kind kind, InetSocketAddress remote, @Nullable String why, @Nullable Throwable cause) {
        return new ConnectFailure(kind, "connect: " + why + ": remote=" + remote, cause);
    }

    @Override
    public DeviceListener listen(InetSocketAddress local, boolean dualStack, int backlog, EndpointParameters parameters)
            throws IOException {
        InetAddress host = local.getAddress();
        if (host.isLoopbackAddress()) {
            throw new IOException("no RDMA connection comes to a loopback address");
        }
        byte[] address = host.getAddress();
        if (host.isAnyLocalAddress()) {
            address = new byte[dualStack ? IPV6_BYTES : IPV4_BYTES];
        }
        EndpointParameters own = ConnectionSizes.ofAdapters(parameters);
        Bell bell = new Bell(thread.wakeUpNs());
        DisniListener listener;
        try {
            listener = thread.createId(id -> new DisniListener(this, thread, id, local, backlog, own, bell));
        } catch (VerbsException e) {
            bell.close();
            throw e;
        }
        try {
            if (address.length == IPV6_BYTES) {
                // Either way, as the JDK does: otherwise net.ipv6.bindv6only decides.
                Verbs.setOption(listener.id, Verbs.OPTION_IPV6_ONLY, dualStack ? 0 : 1);
            }
            Verbs.bind(listener.id, address, scope(host), local.getPort());
            // The kernel drops without a word what is beyond its backlog; the listener counts, and answers.
            Verbs.listen(listener.id, KERNELS_BACKLOG);
            return listener;
        } catch (IOException e) {
            listener.close();
            throw e;
        }
    }

    /** When the JVM ends: lets written bytes reach the peers, as the kernel does for TCP; waits 2 s at most. */
    @Override
    public void close() {
        long endNs = System.nanoTime() + CLOSE_LIMIT_NS;
        try {
            while (thread.farewells.get() > 0 && System.nanoTime() - endNs < 0) {
                Thread.sleep(CLOSE_LOOK_MS);
            }
        } catch (InterruptedException e) {
            Threads.restoreInterrupt();
        }
        if (thread.farewells.get() > 0) {
            Log.debug("end of the JVM: connections with bytes under way: " + thread.farewells.get());
        }
    }

    @Override
    public void end() {
        thread.end();
    }
}
