package org.exsockets.net;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import org.jspecify.annotations.Nullable;

/** The options of {@link SocketOptions}, by number, on a plain socket. */
final class NumberedOptions {
    private NumberedOptions() {}

    static void set(Socket socket, int id, Object value) throws IOException {
        switch (id) {
            case SocketOptions.SO_TIMEOUT -> socket.setSoTimeout((Integer) value);
            case SocketOptions.SO_LINGER -> setLinger(socket, value);
            case SocketOptions.SO_OOBINLINE -> socket.setOOBInline((Boolean) value);
            case SocketOptions.IP_TOS -> socket.setTrafficClass((Integer) value);
            default -> socket.setOption(required(id), value);
        }
    }

    private static void setLinger(Socket socket, Object value) throws SocketException {
        if (value instanceof Boolean) {
            socket.setSoLinger(false, -1);
        } else {
            socket.setSoLinger((Integer) value >= 0, (Integer) value);
        }
    }

    static Object get(Socket socket, int id) throws IOException {
        return switch (id) {
            case SocketOptions.SO_TIMEOUT -> socket.getSoTimeout();
            case SocketOptions.SO_LINGER -> socket.getSoLinger();
            case SocketOptions.SO_OOBINLINE -> socket.getOOBInline();
            case SocketOptions.IP_TOS -> socket.getTrafficClass();
            default -> socket.getOption(required(id));
        };
    }

    static void set(ServerSocket socket, int id, Object value) throws IOException {
        if (id == SocketOptions.SO_TIMEOUT) {
            socket.setSoTimeout((Integer) value);
        } else {
            socket.setOption(required(id), value);
        }
    }

    static Object get(ServerSocket socket, int id) throws IOException {
        return id == SocketOptions.SO_TIMEOUT ? (Object) socket.getSoTimeout() : socket.getOption(required(id));
    }

    @SuppressWarnings("unchecked") // Its value has the option's type, or the socket throws.
    private static SocketOption<Object> required(int id) throws SocketException {
        SocketOption<?> name = standard(id);
        if (name == null) {
            throw new SocketException("Unknown option " + id);
        }
        return (SocketOption<Object>) name;
    }

    /** {@return the name of an option; null for some} */
    static @Nullable SocketOption<?> standard(int id) {
        return switch (id) {
            case SocketOptions.TCP_NODELAY -> StandardSocketOptions.TCP_NODELAY;
            case SocketOptions.SO_KEEPALIVE -> StandardSocketOptions.SO_KEEPALIVE;
            case SocketOptions.SO_SNDBUF -> StandardSocketOptions.SO_SNDBUF;
            case SocketOptions.SO_RCVBUF -> StandardSocketOptions.SO_RCVBUF;
            case SocketOptions.SO_REUSEADDR -> StandardSocketOptions.SO_REUSEADDR;
            case SocketOptions.SO_REUSEPORT -> StandardSocketOptions.SO_REUSEPORT;
            default -> null;
        };
    }
}
