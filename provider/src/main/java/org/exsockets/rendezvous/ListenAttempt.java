package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.observe.FallbackReason;
import org.exsockets.observe.Flight;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.waiting.ProgressThread;
import org.jspecify.annotations.Nullable;

/** One listener: listens on every candidate; a failure does not affect the others. Used by one thread. */
final class ListenAttempt {
    private final Devices devices;
    private final EndpointParameters parameters;
    private final InetSocketAddress local;
    private final boolean dualStack;
    private final int backlog;

    private final List<DeviceListener> listeners = new ArrayList<>(2);

    /** What is counted if there is only TCP. */
    private FallbackReason reason = FallbackReason.DEVICE_UNAVAILABLE;

    /** Whether {@link #run} has met an {@code OutOfMemoryError}. */
    boolean ranOutOfMemory;

    private final @Nullable StringBuilder story = Log.debugEnabled() ? new StringBuilder() : null;

    ListenAttempt(
            Devices devices, EndpointParameters parameters, InetSocketAddress local, boolean dualStack, int backlog) {
        this.devices = devices;
        this.parameters = parameters;
        this.local = local;
        this.dualStack = dualStack;
        this.backlog = backlog;
    }

    /** {@return the listeners; empty if there is only TCP, which has been counted} The result has been logged. */
    List<DeviceListener> run(Policy.Candidates candidates) {
        if (candidates.soft()) {
            listen(Devices.SOFT);
        }
        if (candidates.disni()) {
            listen(Devices.DISNI);
        }
        if (listeners.isEmpty()) {
            Statistics.jvm().fallback(reason);
            Flight.fallback("listen", local, reason);
        }
        if (story != null) {
            String outcome = listeners.isEmpty() ? "tcp only, " + reason.jsonName() : "tcp";
            Log.debug("listen " + local + ": " + outcome + story);
        }
        return List.copyOf(listeners);
    }

    private void listen(String name) {
        try {
            Device device = devices.named(name);
            if (device == null) {
                tell("; not " + name + ", " + devices.obstacle(name));
                reason = ConnectAttempt.unavailable(devices, name);
                return;
            }
            ProgressThread.ensureStarted();
            listeners.add(device.listen(local, dualStack, backlog, parameters));
            tell(" and " + name);
        } catch (IOException e) {
            tell("; not " + name + ", " + e);
            // A program may make thousands of listeners.
            Log.warnOnce(
                    "listen " + name + " " + local.getAddress(),
                    "listen " + local + ": not over device " + name + ": " + e.getMessage());
        } catch (OutOfMemoryError | LinkageError e) {
            tell("; not " + name + ", " + e);
            reason = ConnectAttempt.against(e);
            ranOutOfMemory |= e instanceof OutOfMemoryError;
        }
    }

    private void tell(String what) {
        if (story != null) {
            story.append(what);
        }
    }
}
