package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.exsockets.config.Direction;
import org.exsockets.config.Rules;
import org.exsockets.config.Settings;
import org.exsockets.config.Verdict;
import org.exsockets.observe.DeviceKind;
import org.exsockets.observe.FallbackReason;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;

/**
 * Decides for each connection and listener between EXS and TCP, and counts what it has decided. One per JVM,
 * thread-safe.
 */
public final class Rendezvous {
    /** Messages that may be under way in one direction. Bytes are limited by the hidden buffer, not by this. */
    private static final int RECEIVE_DEPTH = 256;

    private static volatile Rendezvous instance = new Rendezvous(Settings.defaults());

    private final Settings settings;
    private final EndpointParameters parameters;

    private Rendezvous(Settings settings) {
        this.settings = settings;
        this.parameters = new EndpointParameters(
                settings.bufferBytes(), RECEIVE_DEPTH, StreamEngine.VERSION, StreamEngine.VERSION);
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
         * @return its address; a wildcard host means that the destination's own address is to be shown
         */
        InetSocketAddress bind() throws IOException;
    }

    /**
     * Connects over EXS if that is possible.
     *
     * @param destination resolved; a wildcard means the local host, as in the JDK
     * @return null if TCP is to be used; the reason has been counted and logged (port 0 is TCP's to refuse)
     * @throws UnknownHostException if the local host is meant and has no address; TCP fails in the same way
     */
    public Endpoint tryConnect(InetSocketAddress destination, LocalBinding localBinding) throws UnknownHostException {
        if (destination.getPort() == 0) {
            return null;
        }
        InetSocketAddress remote = destination.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLocalHost(), destination.getPort())
                : destination;
        FallbackReason reason = reasonAgainst(Direction.CONNECT, remote);
        if (reason != null) {
            return fallBack(reason, remote, null);
        }
        Device device = Devices.soft();
        switch (device.reachability(remote, parameters)) {
            case LIKELY -> {
                return connect(device, remote, localBinding);
            }
            case NO_LISTENER -> reason = FallbackReason.NO_LISTENER;
            case NOT_LOCAL -> reason = FallbackReason.NOT_LOCAL;
            default -> reason = FallbackReason.DEVICE_UNAVAILABLE;
        }
        return fallBack(reason, remote, null);
    }

    private Endpoint connect(Device device, InetSocketAddress remote, LocalBinding localBinding) {
        InetSocketAddress local;
        try {
            local = localBinding.bind();
        } catch (IOException e) {
            // TCP's own attempt will report it.
            return fallBack(FallbackReason.DESCRIPTORS_EXHAUSTED, remote, e);
        }
        InetAddress host = local.getAddress().isAnyLocalAddress() ? remote.getAddress() : local.getAddress();
        try {
            Endpoint endpoint = device.connect(new InetSocketAddress(host, local.getPort()), remote, parameters);
            Statistics.jvm().connectionOpened(DeviceKind.SOFT);
            Log.debug("connect " + remote + ": soft");
            return endpoint;
        } catch (ConnectFailure e) {
            return fallBack(reason(e.kind()), remote, e);
        }
    }

    private static FallbackReason reason(ConnectFailure.Kind kind) {
        return switch (kind) {
            case REFUSED -> FallbackReason.REFUSED;
            case BACKLOG_FULL -> FallbackReason.BACKLOG_FULL;
            case NO_MEMORY -> FallbackReason.SHM_FULL;
            case NO_DESCRIPTORS -> FallbackReason.DESCRIPTORS_EXHAUSTED;
            case OTHER_USER -> FallbackReason.OTHER_USER;
            case VERSION -> FallbackReason.VERSION;
            case NO_ROUTE -> FallbackReason.NOT_LOCAL;
            case TIMED_OUT, LOCKED_MEMORY, FAILED -> FallbackReason.HANDSHAKE_FAILED;
        };
    }

    private static Endpoint fallBack(FallbackReason reason, InetSocketAddress remote, IOException cause) {
        Statistics.jvm().fallback(reason);
        if (reason == FallbackReason.SHM_FULL) {
            Log.warnOnce("shm-full", reason.explanation() + " " + cause.getMessage());
        }
        if (Log.debugEnabled()) {
            Log.debug("connect " + remote + ": tcp, " + reason.jsonName() + (cause == null ? "" : ", " + cause));
        }
        return null;
    }

    /**
     * Listens on the devices beside a TCP listener that is bound and listening.
     *
     * @param dualStack whether a wildcard listener is reached through IPv6, too
     * @return null if connections can come over TCP only; the reason has been counted and logged
     */
    public DeviceListener tryListen(InetSocketAddress local, boolean dualStack, int backlog) {
        FallbackReason reason = reasonAgainst(Direction.LISTEN, local);
        IOException cause = null;
        if (reason == null) {
            try {
                DeviceListener listener = Devices.soft().listen(local, dualStack, backlog, parameters);
                Log.debug("listen " + local + ": soft and tcp");
                return listener;
            } catch (IOException e) {
                reason = FallbackReason.DEVICE_UNAVAILABLE;
                cause = e;
                Log.warn("listen " + local + ": tcp only: " + e.getMessage());
            }
        }
        listenOverTcp(local, reason, cause);
        return null;
    }

    private FallbackReason reasonAgainst(Direction direction, InetSocketAddress address) {
        if (!settings.enabled() || !settings.device().allowsSoft()) {
            return FallbackReason.DISABLED;
        }
        InetAddress host = address.getAddress();
        if (host.isLinkLocalAddress() || host.isMulticastAddress()) {
            return FallbackReason.UNSUPPORTED_ADDRESS;
        }
        Rules rules = settings.rules();
        if (!rules.isEmpty() && rules.evaluate(direction, host, address.getPort()) == Verdict.TCP) {
            return FallbackReason.RULE;
        }
        return Devices.soft() == null ? FallbackReason.DEVICE_UNAVAILABLE : null;
    }

    /** Counts a listener that shares its port with others (SO_REUSEPORT), so that the name would have several owners. */
    public void sharedPort(InetSocketAddress local) {
        listenOverTcp(local, FallbackReason.REUSEPORT, null);
    }

    private static void listenOverTcp(InetSocketAddress local, FallbackReason reason, IOException cause) {
        Statistics.jvm().fallback(reason);
        if (Log.debugEnabled()) {
            Log.debug("listen " + local + ": tcp only, " + reason.jsonName() + (cause == null ? "" : ", " + cause));
        }
    }

    /** Counts a connection that a listener has accepted over EXS. */
    public void accepted(Endpoint endpoint) {
        Statistics.jvm().connectionOpened(DeviceKind.SOFT);
        if (Log.debugEnabled()) {
            Log.debug("accept " + endpoint.remoteSocketAddress() + ": soft");
        }
    }

    /** Counts a connection that a listener has accepted over TCP, and why. */
    public void acceptedTcp(boolean exsListener) {
        Statistics.jvm().connectionOpened(DeviceKind.TCP);
        if (exsListener) {
            Statistics.jvm().fallback(FallbackReason.PEER_PLAIN);
        }
    }

    /** Counts a connection that was established over TCP after {@link #tryConnect} had said so. */
    public void connectedTcp() {
        Statistics.jvm().connectionOpened(DeviceKind.TCP);
    }

    /** The JVM ends: listeners that are still open are not to be found any more. */
    public static void shutDown() {
        Devices.closeIfOpen();
    }
}
