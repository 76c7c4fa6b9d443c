package org.exsockets.jdk;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The default values of a TCP socket's options, each read once from a socket opened for this. Thread-safe. */
public final class DefaultOptions {
    private static final Map<SocketOption<?>, Object> KNOWN = new ConcurrentHashMap<>();

    private DefaultOptions() {}

    /** {@return the value; null if no socket can be made now} */
    public static @Nullable Object of(SocketOption<?> name) {
        Object known = KNOWN.get(name);
        return known != null ? known : ask(name);
    }

    private static @Nullable Object ask(SocketOption<?> name) {
        try (SocketChannel fresh = JdkChannels.openSocketChannel(null)) {
            Object value = fresh.getOption(name);
            KNOWN.put(name, value);
            return value;
        } catch (IOException noDescriptors) {
            return null;
        }
    }
}
