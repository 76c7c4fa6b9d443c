package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.exsockets.config.Face;
import org.exsockets.config.RuleDirection;
import org.exsockets.config.Settings;
import org.exsockets.config.SettingsReader;
import org.exsockets.jdk.Ipv6;
import org.exsockets.jdk.NanoClock;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.observe.DeviceKind;
import org.exsockets.observe.FallbackReason;
import org.exsockets.observe.Flight;
import org.exsockets.observe.FlightLog;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.ProgramAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each connection and listener between EXS and TCP, and counts the decisions. One per JVM, thread-safe.
 *
 * <p>A connect tries the devices that {@link Policy} allows: shared memory first, if the destination is on this host
 * and listens there, then RDMA adapters, then TCP. A listener listens on all of them beside TCP.
 */
public final class Rendezvous {
    /** As the JDK's for a listener, if the program wants less than 1. */
    private static final int DEFAULT_BACKLOG = 50;

    /**
     * After the program's memory has run out, EXS is not used for so long. Each attempt would cost the JVM half a
     * second of garbage collection to find that there is still no memory; TCP needs none.
     */
    static final long MEMORY_PAUSE_NS = 1_000_000_000L;

    /** Null until needed: a program without connections does not pay for it. */
    private static volatile @Nullable Rendezvous instance;

    /** As the arguments of {@link #configure}. */
    private record Configuration(
            Settings settings, Runnable beforeOpening, Consumer<Face> onListener, Runnable onFirst) {}

    /** Of {@link #instance}; null: the defaults. Under the class's monitor. */
    private static @Nullable Configuration configured;

    private final Policy policy;
    private final Devices devices;
    private final FailureMemory failures;
    private final LongSupplier clockNs;

    /** When the memory has run out; at first long enough ago. */
    private volatile long ranOutNs;

    private final SpareHeap spareHeap = new SpareHeap();
    private final EndpointParameters parameters;
    private final EndpointParameters packetParameters;

    /** Failed connects of {@link Protocol#PACKETS}: these have no fallback, so nothing is remembered. */
    private final FailureMemory noFailures;

    private final int deviceTimeoutMs;
    private final DirectBuffers directBuffers;

    /** Told of the first listener over EXS but for the ES-API's; null: there was one. Two threads may have the first. */
    private volatile @Nullable Consumer<Face> onFirstListener;

    /** Run at the first connection over shared memory; null: there was one. Two threads may have the first. */
    private volatile @Nullable Runnable onFirstConnection;

    Rendezvous(Settings settings, Devices devices, LongSupplier clockNs, Consumer<Face> onListener, Runnable onFirst) {
        this.policy = new Policy(settings);
        this.devices = devices;
        this.failures = new FailureMemory(settings.retrySeconds(), clockNs);
        this.clockNs = clockNs;
        this.ranOutNs = clockNs.getAsLong() - MEMORY_PAUSE_NS;
        this.parameters = parameters(settings, Protocol.STREAM);
        this.packetParameters = parameters(settings, Protocol.PACKETS);
        this.noFailures = new FailureMemory(0, clockNs);
        this.deviceTimeoutMs = settings.timeoutMs();
        this.onFirstListener = onListener;
        this.onFirstConnection = onFirst;
        this.directBuffers = new DirectBuffers(devices, policy.mayUseSoft(), settings.directBufferBytes());
    }

    static DeviceOptions options(Settings settings) {
        return new DeviceOptions(
                settings.timeoutMs(),
                settings.nativeDirectory().orElse(null),
                settings.foreignDisni().orElse(null),
                settings.nativeCopy(),
                settings.dumped(),
                settings.registeredBytes(),
                settings.sharedBytes(),
                settings.peers());
    }

    static EndpointParameters parameters(Settings settings, Protocol protocol) {
        return new EndpointParameters(
                Math.min(EndpointParameters.USUAL_EXPOSED_BYTES, settings.bufferBytes()),
                settings.bufferBytes(),
                EndpointParameters.USUAL_RECEIVE_DEPTH,
                protocol.version(),
                protocol.version(),
                settings.trafficClass());
    }

    private EndpointParameters parameters(Protocol protocol) {
        return protocol == Protocol.STREAM ? parameters : packetParameters;
    }

    /**
     * Applies settings; before the first connection.
     *
     * @param beforeOpening run before each device is opened: for what programs without connections do not need
     * @param onListener told of the first listener over EXS that is not the ES-API's, seldom more than once; must not block
     * @param onFirst run at the first connection over shared memory, seldom more than once; must not block
     */
    public static synchronized void configure(
            Settings settings, Runnable beforeOpening, Consumer<Face> onListener, Runnable onFirst) {
        configured = new Configuration(settings, beforeOpening, onListener, onFirst);
        instance = null;
    }

    /** {@return the instance with the configured settings; without any, with the defaults} */
    public static Rendezvous get() {
        Rendezvous present = instance;
        return present != null ? present : create();
    }

    private static synchronized Rendezvous create() {
        if (instance == null) {
            Configuration now = configured != null
                    ? configured
                    : new Configuration(SettingsReader.defaults(), () -> {}, face -> {}, () -> {});
            Devices devices = new Devices(options(now.settings), now.beforeOpening);
            instance = new Rendezvous(now.settings, devices, NanoClock.SYSTEM, now.onListener, now.onFirst);
        }
        return instance;
    }

    /**
     * {@return an allocator of memory that peers over shared memory can write to; null if there is none here, and other
     * memory is as good}
     */
    public @Nullable ProgramAllocator programAllocator() {
        Device soft = policy.mayUseSoft() ? devices.named(Devices.SOFT) : null;
        return soft == null ? null : soft.programAllocator();
    }

    public DirectBuffers directBuffers() {
        return directBuffers;
    }

    /** {@return whether {@link #tryConnect} may wait for another host: not for a thread that must not block} */
    public boolean takesTime(InetSocketAddress destination, @Nullable Face face) {
        if (destination.getPort() == 0) {
            return false;
        }
        Policy.Candidates candidates = policy.candidates(RuleDirection.CONNECT, destination, face);
        return candidates.disni() && failures.find(destination) == null;
    }

    /**
     * Connects over EXS if that is possible. Over an adapter this takes up to {@code exs.timeout}, but not more than
     * half of the program's own time-out: the rest is for TCP.
     *
     * @param destination resolved, and no wildcard: {@link org.exsockets.jdk.Wildcards}
     * @param timeoutMs the program's time-out for the connect, ≥ 0; 0 if it has none
     * @param face that the program uses
     * @return null if TCP is to be used; the reason has been counted and logged, except for what TCP refuses: port 0,
     *     and IPv6 if the JDK has none
     */
    public @Nullable Endpoint tryConnect(
            InetSocketAddress destination, int timeoutMs, LocalBinding localBinding, Face face) {
        return trial(destination, timeoutMs, localBinding, face, true).endpoint();
    }

    /**
     * Attempts a connect that {@link #takesTime}, when it is its turn to ask that listener. Runs one of the two, once.
     *
     * @param attempt may wait for another host: in a thread of its own
     * @param instead if too many are under way, or others had no answer; must not block; any thread
     */
    public void inTurn(InetSocketAddress destination, Runnable attempt, Runnable instead) {
        Turns.OF_PROCESS.take(destination, attempt, instead);
    }

    /**
     * As {@link #tryConnect} without a time-out, by the attempt of {@link #inTurn}, or instead of it.
     *
     * @param itsTurn false: instead
     */
    public @Nullable Endpoint tryConnectInTurn(
            InetSocketAddress destination, boolean itsTurn, LocalBinding localBinding, Face face) {
        if (itsTurn) {
            return trial(destination, 0, localBinding, face, false).endpoint();
        }
        boolean known = failures.find(destination) != null;
        FallbackReason reason = known ? FallbackReason.REMEMBERED_FAILURE : FallbackReason.RDMA_EXHAUSTED;
        useTcp("connect ", destination, ": tcp, ", reason, known ? "" : ", too many connects under way");
        return null;
    }

    /**
     * As {@link #tryConnect} without a time-out, for a program that may use packets.
     *
     * @throws ConnectFailure if a listener of packets is there, instead of a fallback to TCP; the message says so
     */
    public @Nullable Endpoint tryConnectStream(InetSocketAddress destination, LocalBinding localBinding)
            throws ConnectFailure {
        Trial trial = trial(destination, 0, localBinding, null, false);
        if (trial.endpoint() == null) {
            ensureNoOther(Protocol.STREAM, destination, trial.otherProtocol());
        }
        return trial.endpoint();
    }

    /** The result of a connect that may fall back; the endpoint is null if TCP is to be used. */
    private record Trial(@Nullable Endpoint endpoint, boolean otherProtocol) {
        static final Trial NONE = new Trial(null, false);
    }

    private Trial trial(
            InetSocketAddress remote, int timeoutMs, LocalBinding localBinding, @Nullable Face face, boolean waits) {
        if (remote.getPort() == 0 || remote.getAddress() instanceof Inet6Address && !Ipv6.dualStack()) {
            return Trial.NONE;
        }
        Policy.Candidates candidates = policy.candidates(RuleDirection.CONNECT, remote, face);
        FallbackReason against = against(candidates);
        if (against == null) {
            int limitMs = timeoutMs == 0 ? Integer.MAX_VALUE : Math.max(1, timeoutMs / 2);
            ConnectAttempt attempt = new ConnectAttempt(
                    devices, failures, parameters, remote, limitMs, deviceTimeoutMs, localBinding, false);
            attempt.waits = waits;
            Endpoint endpoint = attempt.run(candidates);
            if (attempt.ranOutOfMemory) {
                ranOutNs = clockNs.getAsLong();
            }
            tellFirst(endpoint);
            return new Trial(endpoint, attempt.otherProtocol);
        }
        useTcp("connect ", remote, ": tcp, ", against, "");
        return Trial.NONE;
    }

    /** {@return why no device is tried; null if the candidates are} */
    private @Nullable FallbackReason against(Policy.Candidates candidates) {
        if (candidates.against() != null) {
            return candidates.against();
        }
        if (SecurityManagers.present()) {
            return FallbackReason.SECURITY_MANAGER;
        }
        if (clockNs.getAsLong() - ranOutNs < MEMORY_PAUSE_NS) {
            return FallbackReason.MEMORY_EXHAUSTED;
        }
        if (spareHeap.hasRoom()) {
            return null;
        }
        ranOutNs = clockNs.getAsLong();
        return FallbackReason.MEMORY_EXHAUSTED;
    }

    private void tellFirst(@Nullable Endpoint established) {
        Runnable first = onFirstConnection;
        if (first != null && established != null && established.device().equals(Devices.SOFT)) {
            onFirstConnection = null;
            first.run();
        }
    }

    /** {@return a connection of this process with itself, which counts nowhere; null: there is no memory for it} */
    public @Nullable OwnPair ownPair() throws IOException {
        Device soft = spareHeap.hasRoom() ? devices.named(Devices.SOFT) : null;
        return soft == null || !soft.hasRoomFor(OwnPair.SPARE_BYTES) ? null : OwnPair.over(soft);
    }

    /**
     * Connects over EXS, or fails.
     *
     * @param remote resolved, and no wildcard
     * @throws ConnectFailure if EXS does not reach {@code remote}; the message tells the user why
     */
    public Endpoint connect(Protocol protocol, InetSocketAddress remote, LocalBinding localBinding)
            throws ConnectFailure {
        Policy.Candidates candidates = policy.candidates(RuleDirection.CONNECT, remote, null);
        if (candidates.against() != null) {
            throw unavailable(protocol, remote, candidates.against().explanation());
        }
        ConnectAttempt attempt = new ConnectAttempt(
                devices,
                protocol == Protocol.STREAM ? failures : noFailures,
                parameters(protocol),
                remote,
                Integer.MAX_VALUE,
                deviceTimeoutMs,
                localBinding,
                true);
        Endpoint endpoint = attempt.run(candidates);
        if (endpoint != null) {
            return endpoint;
        }
        ensureNoOther(protocol, remote, attempt.otherProtocol);
        throw unavailable(protocol, remote, attempt.explanation());
    }

    private static ConnectFailure unavailable(Protocol protocol, InetSocketAddress remote, String why) {
        return new ConnectFailure(
                ConnectFailure.Kind.FAILED,
                "connect: no EXS for a " + protocol.socketType() + " socket: remote=" + remote + ": " + why);
    }

    /**
     * After a connect that found no listener of {@code protocol}: throws if the listener there is known to use the
     * other one. An adapter's listener has reported so itself; on this host this costs only a lookup.
     */
    private void ensureNoOther(Protocol protocol, InetSocketAddress remote, boolean toldByListener)
            throws ConnectFailure {
        Policy.Candidates candidates = policy.candidates(RuleDirection.CONNECT, remote, null);
        Device soft = candidates.against() == null && candidates.soft() ? devices.named(Devices.SOFT) : null;
        if (toldByListener || soft != null && soft.listens(remote, parameters(protocol.other()))) {
            throw new ConnectFailure(
                    ConnectFailure.Kind.OTHER_PROTOCOL,
                    "connect: a " + protocol.socketType() + " socket cannot connect to a listener of type "
                            + protocol.other().socketType() + ": remote=" + remote);
        }
    }

    /**
     * Opens the adapters if {@link #tryListen} will use them, before TCP listens. They take the longest of all, in a new
     * process, and whoever connects over TCP meanwhile stays there.
     *
     * @param wanted the address that the program asks for; null if it leaves that to the kernel
     */
    public void beforeListening(@Nullable SocketAddress wanted, Face face) {
        if (!(wanted instanceof InetSocketAddress local) || local.isUnresolved()) {
            return;
        }
        Policy.Candidates candidates = policy.candidates(RuleDirection.LISTEN, local, face);
        if (candidates.disni() && against(candidates) == null) {
            try {
                devices.named(Devices.DISNI);
            } catch (OutOfMemoryError | LinkageError e) {
                Log.debug("listen " + local + ": adapters: " + e); // Told of when they are to be listened on.
            }
        }
    }

    /**
     * Listens on the devices beside a TCP listener that is bound and listening.
     *
     * @param dualStack whether a wildcard listener is reached through IPv6, too
     * @param backlog less than 1: the default
     * @param face that the program uses; null: the ES-API
     * @return the listeners, to be closed by the caller; empty if connections can come over TCP only, with the reason
     *     counted and logged
     */
    public List<DeviceListener> tryListen(
            Protocol protocol, InetSocketAddress local, boolean dualStack, int backlog, @Nullable Face face) {
        Policy.Candidates candidates = policy.candidates(RuleDirection.LISTEN, local, face);
        FallbackReason against = against(candidates);
        if (against == null) {
            int wanted = backlog < 1 ? DEFAULT_BACKLOG : backlog;
            ListenAttempt attempt = new ListenAttempt(devices, parameters(protocol), local, dualStack, wanted);
            List<DeviceListener> listeners = attempt.run(candidates);
            if (attempt.ranOutOfMemory) {
                ranOutNs = clockNs.getAsLong();
            }
            Consumer<Face> first = onFirstListener;
            if (first != null && face != null && !listeners.isEmpty()) {
                onFirstListener = null;
                first.accept(face);
            }
            return listeners;
        }
        useTcp("listen ", local, ": tcp only, ", against, "");
        return List.of();
    }

    /** Counts a listener that uses TCP as others share its port (SO_REUSEPORT): its name would have several owners. */
    public void sharedPort(InetSocketAddress local) {
        useTcp("listen ", local, ": tcp only, ", FallbackReason.REUSEPORT, "");
    }

    private static void useTcp(
            String what, InetSocketAddress address, String how, FallbackReason reason, String detail) {
        Statistics.jvm().fallback(reason);
        Flight.fallback(what.trim(), address, reason);
        if (Log.debugEnabled()) {
            Log.debug(what + address + how + reason.jsonName() + detail);
        }
    }

    /** Counts a connection that a listener has accepted over EXS. */
    public void accepted(Endpoint endpoint) {
        Statistics.jvm().connectionOpened(DeviceKind.of(endpoint.device()));
        tellFirst(endpoint);
        FlightLog recorder = Flight.look();
        if (recorder != null) {
            recorder.accepted(endpoint.remoteHost().getHostAddress(), endpoint.device());
        }
        if (Log.debugEnabled()) {
            // Without the port: it may not be chosen yet, and logging must not choose it.
            Log.debug("accept " + endpoint.remoteHost() + ": " + endpoint.device());
        }
    }

    /**
     * Counts a connection that a listener has accepted over TCP, and why.
     *
     * @param connection the accepted socket or channel, whose text names the peer
     */
    public void acceptedTcp(Object connection, boolean exsListener) {
        Statistics.jvm().connectionOpened(DeviceKind.TCP);
        if (exsListener) {
            Statistics.jvm().fallback(FallbackReason.PEER_PLAIN);
            Flight.fallback("accept", connection, FallbackReason.PEER_PLAIN);
        }
        if (Log.debugEnabled()) {
            Log.debug("accept " + connection + ": tcp"
                    + (exsListener ? ", " + FallbackReason.PEER_PLAIN.jsonName() : ""));
        }
    }

    /** Counts a connection that was established over TCP after {@link #tryConnect} returned null. */
    public void connectedTcp(SocketAddress remote) {
        Statistics.jvm().connectionOpened(DeviceKind.TCP);
        if (remote instanceof InetSocketAddress inet) {
            failures.connectedTcp(inet);
        }
    }

    /** Ends the devices' threads: no connection is used any more. After {@link #shutDown}. */
    public static void endWithJvm() {
        Rendezvous present = instance;
        if (present != null) {
            present.devices.endIfOpen();
        }
    }

    /** The JVM ends: peers no longer find listeners that are still open. */
    public static void shutDown() {
        Rendezvous present = instance;
        if (present != null) {
            present.directBuffers.shutDown();
            present.devices.closeIfOpen();
        }
    }
}
