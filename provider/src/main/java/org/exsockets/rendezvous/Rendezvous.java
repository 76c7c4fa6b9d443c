package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.LongSupplier;
import org.exsockets.config.Direction;
import org.exsockets.config.Settings;
import org.exsockets.observe.DeviceKind;
import org.exsockets.observe.FallbackReason;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;

/**
 * Decides for each connection and listener between EXS and TCP, and counts what it has decided. One per JVM,
 * thread-safe.
 *
 * <p>A connect tries the devices that {@link Policy} allows: shared memory first, where the destination is on this host
 * and listens there, then RDMA adapters, then TCP. A listener listens on all of them beside TCP.
 */
public final class Rendezvous {
    /** Messages that may be under way in one direction. Bytes are limited by the hidden buffer, not by this. */
    private static final int RECEIVE_DEPTH = 256;

    /** Hidden buffer that a connection starts with, in bytes; exs.buffer is what it may grow to. */
    private static final int FIRST_BUFFER_BYTES = 256 << 10;

    private static final long NS_PER_MS = 1_000_000;

    private static volatile Rendezvous instance = new Rendezvous(Settings.defaults());

    private final Policy policy;
    private final Devices devices;
    private final FailureMemory failures;
    private final EndpointParameters parameters;
    private final int deviceTimeoutMs;
    private final DirectBuffers directBuffers;

    private Rendezvous(Settings settings) {
        this(settings, new Devices(options(settings)), new Clock());
    }

    Rendezvous(Settings settings, Devices devices, LongSupplier clockNs) {
        this.policy = new Policy(settings);
        this.devices = devices;
        this.failures = new FailureMemory(settings.retrySeconds(), clockNs);
        this.parameters = parameters(settings);
        this.deviceTimeoutMs = settings.timeoutMs();
        this.directBuffers = new DirectBuffers(
                devices, settings.enabled() && settings.device().allowsSoft(), settings.directBufferBytes());
    }

    /** No lambda: this runs at the start of every program. */
    private static final class Clock implements LongSupplier {
        @Override
        public long getAsLong() {
            return System.nanoTime();
        }
    }

    static DeviceOptions options(Settings settings) {
        return new DeviceOptions(
                settings.timeoutMs(),
                settings.nativeDirectory().orElse(null),
                settings.foreignDisni().orElse(null),
                settings.nativeCopy(),
                settings.registeredBytes());
    }

    static EndpointParameters parameters(Settings settings) {
        return new EndpointParameters(
                Math.min(FIRST_BUFFER_BYTES, settings.bufferBytes()),
                settings.bufferBytes(),
                RECEIVE_DEPTH,
                StreamEngine.VERSION,
                StreamEngine.VERSION);
    }

    /** Applies settings; before the first connection. */
    public static void configure(Settings settings) {
        instance = new Rendezvous(settings);
    }

    public static Rendezvous get() {
        return instance;
    }

    /** Gives the connecting side a real, unique address. */
    @FunctionalInterface
    public interface LocalBinding {
        /**
         * Binds the TCP socket of the connection if it is not bound yet.
         *
         * @return its address; a wildcard host means that the address TCP would have chosen is to be shown
         */
        InetSocketAddress bind() throws IOException;
    }

    /** {@return what places the program's direct buffers} */
    public DirectBuffers directBuffers() {
        return directBuffers;
    }

    /** {@return what is left of a program's time-out, in milliseconds, ≥ 1; 0 if it has none} */
    public static int remainingMs(int timeoutMs, long startNs) {
        return timeoutMs == 0 ? 0 : (int) Math.max(1, timeoutMs - (System.nanoTime() - startNs) / NS_PER_MS);
    }

    /**
     * {@return whether {@link #tryConnect} may have to wait for somebody else, so that it is not for a thread that must
     * not block}
     */
    public boolean takesTime(InetSocketAddress destination) {
        if (destination.getPort() == 0) {
            return false;
        }
        Policy.Candidates candidates = policy.candidates(Direction.CONNECT, destination);
        return candidates.disni() && failures.find(destination) == null;
    }

    /**
     * Connects over EXS if that is possible. Over an adapter this takes up to {@code exs.timeout}, but not more than half
     * of the program's own time-out: the rest is for TCP.
     *
     * @param destination resolved; a wildcard means the local host, as in the JDK
     * @param timeoutMs the program's time-out for the connect, ≥ 0; 0 if it has none
     * @return null if TCP is to be used; the reason has been counted and logged (port 0 is TCP's to refuse)
     * @throws UnknownHostException if the local host is meant and has no address; TCP fails in the same way
     */
    public Endpoint tryConnect(InetSocketAddress destination, int timeoutMs, LocalBinding localBinding)
            throws UnknownHostException {
        if (destination.getPort() == 0) {
            return null;
        }
        InetSocketAddress remote = destination.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLocalHost(), destination.getPort())
                : destination;
        Policy.Candidates candidates = policy.candidates(Direction.CONNECT, remote);
        if (candidates.against() == null) {
            int limitMs = timeoutMs == 0 ? Integer.MAX_VALUE : Math.max(1, timeoutMs / 2);
            boolean hurried = limitMs < deviceTimeoutMs;
            return new ConnectAttempt(devices, failures, parameters, remote, limitMs, hurried, localBinding)
                    .run(candidates);
        }
        Statistics.jvm().fallback(candidates.against());
        if (Log.debugEnabled()) {
            Log.debug("connect " + remote + ": tcp, " + candidates.against().jsonName());
        }
        return null;
    }

    /**
     * Listens on the devices beside a TCP listener that is bound and listening.
     *
     * @param dualStack whether a wildcard listener is reached through IPv6, too
     * @return the listeners, the caller's to close; empty if connections can come over TCP only: the reason has been
     *     counted and logged
     */
    public List<DeviceListener> tryListen(InetSocketAddress local, boolean dualStack, int backlog) {
        Policy.Candidates candidates = policy.candidates(Direction.LISTEN, local);
        if (candidates.against() == null) {
            return new ListenAttempt(devices, parameters, local, dualStack, backlog).run(candidates);
        }
        listenOverTcp(local, candidates.against());
        return List.of();
    }

    /** Counts a listener that shares its port with others (SO_REUSEPORT), so that the name would have several owners. */
    public void sharedPort(InetSocketAddress local) {
        listenOverTcp(local, FallbackReason.REUSEPORT);
    }

    private static void listenOverTcp(InetSocketAddress local, FallbackReason reason) {
        Statistics.jvm().fallback(reason);
        if (Log.debugEnabled()) {
            Log.debug("listen " + local + ": tcp only, " + reason.jsonName());
        }
    }

    /** Counts a connection that a listener has accepted over EXS. */
    public void accepted(Endpoint endpoint) {
        Statistics.jvm().connectionOpened(DeviceKind.of(endpoint.device()));
        if (Log.debugEnabled()) {
            Log.debug("accept " + endpoint.remoteSocketAddress() + ": " + endpoint.device());
        }
    }

    /**
     * Counts a connection that a listener has accepted over TCP, and why.
     *
     * @param connection the accepted socket or channel, whose text tells the peer
     */
    public void acceptedTcp(Object connection, boolean exsListener) {
        Statistics.jvm().connectionOpened(DeviceKind.TCP);
        if (exsListener) {
            Statistics.jvm().fallback(FallbackReason.PEER_PLAIN);
        }
        if (Log.debugEnabled()) {
            Log.debug("accept " + connection + ": tcp"
                    + (exsListener ? ", " + FallbackReason.PEER_PLAIN.jsonName() : ""));
        }
    }

    /** Counts a connect for which there were too many others under way at the same time. */
    public void tooManyConnects(InetSocketAddress remote) {
        Statistics.jvm().fallback(FallbackReason.RDMA_EXHAUSTED);
        if (Log.debugEnabled()) {
            Log.debug("connect " + remote + ": tcp, " + FallbackReason.RDMA_EXHAUSTED.jsonName()
                    + ", too many connects under way");
        }
    }

    /** Counts a connection that was established over TCP after {@link #tryConnect} had said so. */
    public void connectedTcp(SocketAddress remote) {
        Statistics.jvm().connectionOpened(DeviceKind.TCP);
        if (remote instanceof InetSocketAddress inet) {
            failures.confirm(inet);
        }
    }

    /** The JVM ends: listeners that are still open are not to be found any more. */
    public static void shutDown() {
        instance.directBuffers.shutDown();
        instance.devices.closeIfOpen();
    }
}
