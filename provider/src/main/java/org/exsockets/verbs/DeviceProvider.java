package org.exsockets.verbs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens a device; found through {@link java.util.ServiceLoader}, the software device's by its name. Thread-safe. */
public interface DeviceProvider {
    /** {@return "soft" or "disni"} */
    String name();

    /**
     * Opens the device of this JVM.
     *
     * @throws NotNowException if resources that it needs are exhausted now
     * @throws IOException if it cannot be used; the message tells the user why and what to do
     */
    Device open(DeviceOptions options) throws IOException;

    /**
     * Examines everything the device needs on this machine, for the user to read. Never throws, leaves nothing behind.
     *
     * @param parameters what a connection of this JVM would ask for
     * @param target a destination to judge, too, or null
     */
    List<Finding> examine(DeviceOptions options, EndpointParameters parameters, @Nullable InetSocketAddress target);

    /**
     * One result of an examination.
     *
     * @param severity how it affects the use of the device
     * @param text what was found
     * @param advice what the user can do about it; empty if there is nothing to do
     */
    record Finding(Severity severity, String text, String advice) {
        public enum Severity {
            /** As it should be. */
            GOOD,
            /** Works, but not as well as it could. */
            NOTE,
            /** Keeps the device from being used. */
            PROBLEM
        }
    }
}
