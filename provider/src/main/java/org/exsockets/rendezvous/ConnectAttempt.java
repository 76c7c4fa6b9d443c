package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.NanoClock;
import org.exsockets.observe.DeviceKind;
import org.exsockets.observe.FallbackReason;
import org.exsockets.observe.Flight;
import org.exsockets.observe.FlightLog;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.waiting.ProgressThread;
import org.jspecify.annotations.Nullable;

/** One connect: tries the candidates in order and records why each one failed. Used by one thread. */
final class ConnectAttempt {
    private static final byte[] LOOPBACK_4 = {127, 0, 0, 1};

    /** Reasons that users can remove, so they are logged as warnings. */
    private static final Set<FallbackReason> TOLD =
            Set.of(FallbackReason.SHM_FULL, FallbackReason.MEMORY_LIMIT, FallbackReason.LOCKED_MEMORY);

    private final Devices devices;
    private final FailureMemory failures;
    private final EndpointParameters parameters;
    private final InetSocketAddress remote;

    /** What is left for adapters, in milliseconds. */
    private int limitMs;

    private final int usualMs;
    private final LocalBinding localBinding;

    /** Null as long as the TCP socket is not bound. */
    private @Nullable InetSocketAddress bound;

    /** The reason to count: why the device that came closest did not connect. */
    private FallbackReason reason = FallbackReason.DEVICE_UNAVAILABLE;

    /** Why each device has failed; null unless this is logged or asked for. */
    private final @Nullable StringBuilder story;

    private final boolean required;

    private int tried;
    private String detail = "";

    /** Whether {@link #run} waits for its turn; otherwise it has it. */
    boolean waits;

    /** Whether {@link #run} has found a listener that speaks the other protocol. */
    boolean otherProtocol;

    /** Whether {@link #run} has met an {@code OutOfMemoryError}. */
    boolean ranOutOfMemory;

    /**
     * @param limitMs milliseconds that a device may take, if less than its own bound
     * @param usualMs that bound
     * @param required whether there is no fallback to TCP: a failure is explained then, not counted
     */
    ConnectAttempt(
            Devices devices,
            FailureMemory failures,
            EndpointParameters parameters,
            InetSocketAddress remote,
            int limitMs,
            int usualMs,
            LocalBinding localBinding,
            boolean required) {
        this.devices = devices;
        this.failures = failures;
        this.parameters = parameters;
        this.remote = remote;
        this.limitMs = limitMs;
        this.usualMs = usualMs;
        this.localBinding = localBinding;
        this.required = required;
        this.story = required || Log.debugEnabled() ? new StringBuilder() : null;
    }

    /** {@return why {@link #run} has returned null, for the user; only if the connection was required} */
    String explanation() {
        return reason.explanation() + story;
    }

    /** {@return the connection, or null: none over EXS} Counts and logs either, but not null if EXS was required. */
    @Nullable
    Endpoint run(Policy.Candidates candidates) {
        FlightLog recorder = Flight.look();
        Object event = recorder == null ? null : recorder.connecting();
        Endpoint endpoint = connect(candidates);
        if (recorder != null && event != null) {
            String device = endpoint != null ? endpoint.device() : "tcp";
            recorder.connected(event, remote, device, endpoint != null ? "" : reason.jsonName());
        }
        return endpoint;
    }

    private @Nullable Endpoint connect(Policy.Candidates candidates) {
        Endpoint endpoint = candidates.soft() ? tryDevice(Devices.SOFT) : null;
        if (endpoint == null && candidates.disni() && reason != FallbackReason.DESCRIPTORS_EXHAUSTED) {
            endpoint = tryDisni();
        }
        if (endpoint == null) {
            if (required) {
                return null;
            }
            Statistics.jvm().fallback(reason);
            Flight.fallback("connect", remote, reason);
            if (story != null) {
                Log.debug("connect " + remote + ": tcp, " + reason.jsonName() + (tried > 1 ? story : detail));
            }
            return null;
        }
        Statistics.jvm().connectionOpened(DeviceKind.of(endpoint.device()));
        if (story != null) {
            Log.debug("connect " + remote + ": " + endpoint.device() + story);
        }
        return endpoint;
    }

    private @Nullable Endpoint tryDisni() {
        if (isRemembered()) {
            return null;
        }
        if (!waits) {
            return tryDevice(Devices.DISNI);
        }
        long startNs = System.nanoTime();
        Turns.Line turn;
        try {
            turn = Turns.OF_PROCESS.await(remote, limitMs, localBinding::isWanted);
        } catch (OutOfMemoryError full) {
            ranOutOfMemory = true;
            return failed(Devices.DISNI, FallbackReason.MEMORY_EXHAUSTED, full.toString());
        }
        if (turn == null) {
            return isRemembered() ? null : failed(Devices.DISNI, FallbackReason.RDMA_TIMEOUT, "not its turn in time");
        }
        try {
            limitMs = NanoClock.remainingMs(limitMs, startNs);
            return isRemembered() ? null : tryDevice(Devices.DISNI);
        } finally {
            Turns.OF_PROCESS.end(turn);
        }
    }

    private boolean isRemembered() {
        FailureMemory.Failure failure = failures.find(remote);
        if (failure == null) {
            return false;
        }
        String when = failure.reason().jsonName() + " " + failures.secondsSince(failure) + " s ago";
        failed(Devices.DISNI, FallbackReason.REMEMBERED_FAILURE, when);
        return true;
    }

    private @Nullable Endpoint tryDevice(String name) {
        try {
            Device device = devices.named(name);
            if (device == null) {
                return failed(name, unavailable(devices, name), devices.obstacle(name));
            }
            return device.leadsTo(remote) ? connect(device) : failed(name, outOfReach(name), null);
        } catch (OutOfMemoryError | LinkageError e) {
            ranOutOfMemory |= e instanceof OutOfMemoryError;
            return failed(name, against(e), e.toString());
        }
    }

    /** {@return why a device cannot be used now} A class whose initialiser ran out of memory stays broken. */
    static FallbackReason against(Error failure) {
        return failure instanceof OutOfMemoryError
                ? FallbackReason.MEMORY_EXHAUSTED
                : FallbackReason.DEVICE_UNAVAILABLE;
    }

    /** {@return why a device could not be opened} */
    static FallbackReason unavailable(Devices devices, String name) {
        if (name.equals(Devices.SOFT) && DescriptorPoll.isMissing()) {
            return FallbackReason.NATIVE_MISSING;
        }
        return devices.isScarce(name) ? FallbackReason.DESCRIPTORS_EXHAUSTED : FallbackReason.DEVICE_UNAVAILABLE;
    }

    /** {@return why a connect over a device that does not lead there is not tried} */
    static FallbackReason outOfReach(String name) {
        return name.equals(Devices.SOFT) ? FallbackReason.NOT_LOCAL : FallbackReason.NO_RDMA_ROUTE;
    }

    private @Nullable Endpoint connect(Device device) {
        boolean soft = device.name().equals(Devices.SOFT);
        InetSocketAddress local;
        EndpointParameters wanted;
        try {
            ProgressThread.ensureStarted();
            local = bind(soft);
            wanted = soft ? parameters : parameters.withTrafficClass(localBinding.trafficClass());
        } catch (IOException e) {
            // If TCP needs what is missing, its own attempt will report it.
            boolean noThread = e.getCause() instanceof OutOfMemoryError;
            ranOutOfMemory |= noThread;
            return failed(
                    device.name(),
                    noThread ? FallbackReason.MEMORY_EXHAUSTED : FallbackReason.DESCRIPTORS_EXHAUSTED,
                    e.toString());
        }
        if (!servesBound()) {
            return failed(device.name(), FallbackReason.UNSUPPORTED_ADDRESS, "bound to " + bound);
        }
        try {
            Runnable onAnswer = soft ? null : localBinding::onAnswer;
            Endpoint endpoint = device.connect(local, remote, wanted, limitMs, onAnswer);
            if (!soft) {
                failures.forget(remote);
            }
            return endpoint;
        } catch (ConnectFailure e) {
            otherProtocol |= e.kind() == ConnectFailure.Kind.OTHER_PROTOCOL;
            FallbackReason why = against(e.kind(), soft);
            if (!soft) {
                remember(e.kind(), why);
            }
            if (TOLD.contains(why)) {
                Log.warnOnce(why.jsonName(), why.explanation() + " " + e.getMessage());
            }
            return failed(device.name(), why, e.getMessage());
        }
    }

    /**
     * {@return the address for the peer to see: the one that TCP would show}
     *
     * <p>On this host port 0 is replaced when a program asks for the port. For other hosts only the device knows the
     * source of the route.
     */
    private InetSocketAddress bind(boolean toThisHost) throws IOException {
        if (bound == null) {
            bound = toThisHost ? localBinding.bound() : localBinding.bind();
        }
        return bound == null || toThisHost && bound.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(sourceOnThisHost(), bound == null ? 0 : bound.getPort())
                : bound;
    }

    /** {@return the kernel's choice: the destination's address, or 127.0.0.1 for 127.0.0.0/8; no name, no scope} */
    private InetAddress sourceOnThisHost() throws IOException {
        InetAddress destination = remote.getAddress();
        boolean loopback4 = destination instanceof Inet4Address && destination.isLoopbackAddress();
        return InetAddress.getByAddress(loopback4 ? LOOPBACK_4 : destination.getAddress());
    }

    /** Not those unsupported as destinations, nor the other IP version: TCP has errors for most of these. */
    private boolean servesBound() {
        InetAddress source = bound == null ? null : bound.getAddress();
        return source == null
                || source.isAnyLocalAddress()
                || !Policy.isUnsupported(source)
                        && source instanceof Inet4Address == remote.getAddress() instanceof Inet4Address;
    }

    /**
     * A refusal counts only when it comes again some time after TCP has connected: the server may not have been started
     * yet, or just now. Otherwise a program that tries again and again would be left with TCP just when the server is
     * there.
     */
    private void remember(ConnectFailure.Kind kind, FallbackReason why) {
        switch (kind) {
            case REFUSED -> failures.suspect(remote, why);
            case TIMED_OUT -> {
                // A short time-out of one connect must not affect others.
                if (limitMs >= usualMs) {
                    failures.add(remote, why);
                    Turns.OF_PROCESS.giveUp(remote);
                }
            }
            case NO_ROUTE, VERSION, FAILED -> failures.add(remote, why);
            default -> {
                // What an end lacks now, or what went wrong on the way, may be over for the next connection.
            }
        }
    }

    private static FallbackReason against(ConnectFailure.Kind kind, boolean soft) {
        return switch (kind) {
            case REFUSED -> soft ? FallbackReason.NO_LISTENER : FallbackReason.REFUSED;
            case BACKLOG_FULL -> FallbackReason.BACKLOG_FULL;
            case NO_MEMORY -> soft ? FallbackReason.SHM_FULL : FallbackReason.RDMA_EXHAUSTED;
            case NO_DESCRIPTORS -> FallbackReason.DESCRIPTORS_EXHAUSTED;
            case MEMORY_LIMIT -> FallbackReason.MEMORY_LIMIT;
            case PEER_EXHAUSTED -> FallbackReason.PEER_EXHAUSTED;
            case UNSUPPORTED_ADDRESS -> FallbackReason.UNSUPPORTED_ADDRESS;
            case OTHER_USER -> FallbackReason.OTHER_USER;
            case VERSION, OTHER_PROTOCOL -> FallbackReason.VERSION;
            case NO_ROUTE -> soft ? FallbackReason.NOT_LOCAL : FallbackReason.NO_RDMA_ROUTE;
            case TIMED_OUT -> soft ? FallbackReason.HANDSHAKE_FAILED : FallbackReason.RDMA_TIMEOUT;
            case LOCKED_MEMORY -> soft ? FallbackReason.HANDSHAKE_FAILED : FallbackReason.LOCKED_MEMORY;
            case PASSING, FAILED -> FallbackReason.HANDSHAKE_FAILED;
        };
    }

    private @Nullable Endpoint failed(String device, FallbackReason why, @Nullable String cause) {
        if (reason == FallbackReason.NOT_LOCAL
                || reason == FallbackReason.DEVICE_UNAVAILABLE
                || reason == FallbackReason.NATIVE_MISSING) {
            reason = why;
        }
        if (story != null) {
            tried++;
            detail = cause == null ? "" : ", " + cause;
            story.append("; ")
                    .append(device)
                    .append(": ")
                    .append(why.jsonName())
                    .append(detail);
        }
        return null;
    }
}
