package org.exsockets.aio;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of asynchronous stream channels: those of the channel within except a few, as in the JDK. */
final class AsynchronousOptions {
    private static final Set<String> MISSING = Set.of("IP_TOS", "SO_LINGER", "SO_OOBINLINE");

    private AsynchronousOptions() {}

    static Set<SocketOption<?>> of(NetworkChannel channel) {
        Set<SocketOption<?>> options = new HashSet<>(channel.supportedOptions());
        options.removeIf(option -> MISSING.contains(option.name()));
        return Set.copyOf(options);
    }

    static <T> void set(NetworkChannel channel, SocketOption<T> name, @Nullable T value) throws IOException {
        ensureSupported(channel, name);
        // The JDK's other channels look at the value before they look whether they are closed, and refuse it otherwise.
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        if (value == null) {
            throw new IllegalArgumentException("Invalid option value");
        }
        channel.setOption(name, name.type().cast(value));
    }

    static <T> T get(NetworkChannel channel, SocketOption<T> name) throws IOException {
        ensureSupported(channel, name);
        return channel.getOption(name);
    }

    static void ensureSupported(NetworkChannel channel, SocketOption<?> name) {
        if (!channel.supportedOptions().contains(Objects.requireNonNull(name)) || MISSING.contains(name.name())) {
            throw new UnsupportedOperationException("'" + name + "' not supported");
        }
    }
}
