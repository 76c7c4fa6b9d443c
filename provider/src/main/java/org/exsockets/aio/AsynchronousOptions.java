package org.exsockets.aio;

import java.net.SocketOption;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** The options of asynchronous stream channels: those of other stream channels but a few, as in the JDK. */
final class AsynchronousOptions {
    private static final Set<String> MISSING = Set.of("IP_TOS", "SO_LINGER", "SO_OOBINLINE");

    private AsynchronousOptions() {}

    static Set<SocketOption<?>> among(Set<SocketOption<?>> others) {
        Set<SocketOption<?>> options = new HashSet<>(others);
        options.removeIf(option -> MISSING.contains(option.name()));
        return Set.copyOf(options);
    }

    /** What the JDK's asynchronous channels say in words of their own, unlike its other channels. */
    static void ensureValue(Object value) {
        if (value == null) {
            throw new IllegalArgumentException("Invalid option value");
        }
    }

    static void ensureSupported(SocketOption<?> name, Set<SocketOption<?>> supported) {
        if (!supported.contains(Objects.requireNonNull(name))) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }
}
