package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.exsockets.jdk.JdkChannels;
import org.jspecify.annotations.Nullable;

/**
 * The options that accepted connections inherit from their listener under Linux, as far as a program can set them
 * there. Immutable: a connection keeps those that held when it was accepted. It sets them on a TCP socket of its own
 * only when the program first asks for an option that it has not. What the program sets itself is kept with them:
 * servers set TCP_NODELAY on every connection, and a socket just for that costs as much as the rest of accepting one.
 */
public final class InheritedOptions {
    /** A listener on which nothing was set. */
    public static final InheritedOptions NONE = new InheritedOptions(Map.of());

    /** An option that only {@code jdk.net} has a constant for. */
    public static final String KEEP_IDLE = "TCP_KEEPIDLE";

    private static final Set<String> NAMES = Set.of(
            "IP_TOS", "SO_RCVBUF", "SO_REUSEADDR", "SO_REUSEPORT", "TCP_KEEPCOUNT", KEEP_IDLE, "TCP_KEEPINTERVAL");

    /** Flags that a TCP socket takes in every state, with any value, and that need no socket to be kept. */
    private static final Set<SocketOption<?>> KEPT_FLAGS =
            Set.of(StandardSocketOptions.TCP_NODELAY, StandardSocketOptions.SO_KEEPALIVE);

    /** The same, for positive values. Only a socket knows which value holds. */
    private static final Set<SocketOption<?>> KEPT_LENGTHS =
            Set.of(StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF);

    /** Of a TCP socket, each read once from one opened for this. Any thread. */
    private static final Map<SocketOption<?>, Object> DEFAULTS = new ConcurrentHashMap<>();

    private final Map<SocketOption<?>, Object> values;

    /**
     * The result of the latest option: a server sets the same one on each connection. Read and replaced racily; a
     * thread that misses it makes another.
     */
    private @Nullable Successor successor;

    private record Successor(SocketOption<?> name, Object value, InheritedOptions options) {}

    private InheritedOptions(Map<SocketOption<?>, Object> values) {
        this.values = values;
    }

    /** Where options are set. */
    @FunctionalInterface
    public interface Target {
        void set(SocketOption<Object> name, Object value) throws IOException;
    }

    /** {@return these and one that was set on the listener, if connections inherit it} */
    public InheritedOptions with(SocketOption<?> name, Object value) {
        return NAMES.contains(name.name()) ? and(name, value) : this;
    }

    /** {@return these and one that the program sets on the connection; null if that cannot wait for a TCP socket} */
    @SuppressWarnings("NullAway") // A flag or a length is not null.
    public @Nullable InheritedOptions keeping(SocketOption<?> name, @Nullable Object value) {
        boolean flag = value instanceof Boolean && KEPT_FLAGS.contains(name);
        boolean length = value instanceof Integer bytes && bytes > 0 && KEPT_LENGTHS.contains(name);
        return flag || length ? and(name, value) : null;
    }

    /** {@return the value of an option of a TCP socket with these; null if only a socket knows} */
    public @Nullable Object known(SocketOption<?> name) {
        boolean flag = KEPT_FLAGS.contains(name);
        if (!flag && !KEPT_LENGTHS.contains(name)) {
            return null;
        }
        Object value = values.get(name);
        return value == null ? defaultOf(name) : flag ? value : null;
    }

    /** {@return the value without; null if no socket can be made now} */
    private static @Nullable Object defaultOf(SocketOption<?> name) {
        Object known = DEFAULTS.get(name);
        if (known != null) {
            return known;
        }
        try (SocketChannel fresh = JdkChannels.openSocketChannel(null)) {
            Object value = fresh.getOption(name);
            DEFAULTS.put(name, value);
            return value;
        } catch (IOException noDescriptors) {
            return null;
        }
    }

    private InheritedOptions and(SocketOption<?> name, Object value) {
        Successor known = successor;
        if (known != null && known.name.equals(name) && known.value.equals(value)) {
            return known.options;
        }
        Map<SocketOption<?>, Object> more = new LinkedHashMap<>(values);
        more.put(name, value);
        InheritedOptions options = new InheritedOptions(more);
        successor = new Successor(name, value, options);
        return options;
    }

    /** {@return the SO_RCVBUF among them, in bytes; 0 if there is none} */
    public int receiveBufferBytes() {
        return values.get(StandardSocketOptions.SO_RCVBUF) instanceof Integer chosen ? chosen : 0;
    }

    /** {@return the TCP_KEEPIDLE among them, in seconds; 0 if there is none} */
    public int keepIdleSeconds() {
        for (Map.Entry<SocketOption<?>, Object> option : values.entrySet()) {
            if (option.getKey().name().equals(KEEP_IDLE)) {
                return (Integer) option.getValue();
            }
        }
        return 0;
    }

    /** Sets all of them. */
    @SuppressWarnings("unchecked")
    public void applyTo(Target connection) throws IOException {
        for (Map.Entry<SocketOption<?>, Object> option : values.entrySet()) {
            connection.set((SocketOption<Object>) option.getKey(), option.getValue());
        }
    }
}
