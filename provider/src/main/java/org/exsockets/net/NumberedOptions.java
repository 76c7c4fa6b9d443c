package org.exsockets.net;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import org.exsockets.rendezvous.InheritedOptions;

/** The options of {@link SocketOptions}, by number, on a plain socket. */
final class NumberedOptions {
    private NumberedOptions() {}

    static void set(Socket socket, int id, Object value) throws IOException {
        switch (id) {
            case SocketOptions.SO_TIMEOUT -> socket.setSoTimeout((Integer) value);
            case SocketOptions.TCP_NODELAY -> socket.setTcpNoDelay((Boolean) value);
            case SocketOptions.SO_LINGER -> setLinger(socket, value);
            case SocketOptions.SO_KEEPALIVE -> socket.setKeepAlive((Boolean) value);
            case SocketOptions.SO_OOBINLINE -> socket.setOOBInline((Boolean) value);
            case SocketOptions.SO_SNDBUF -> socket.setSendBufferSize((Integer) value);
            case SocketOptions.SO_RCVBUF -> socket.setReceiveBufferSize((Integer) value);
            case SocketOptions.SO_REUSEADDR -> socket.setReuseAddress((Boolean) value);
            case SocketOptions.SO_REUSEPORT -> socket.setOption(StandardSocketOptions.SO_REUSEPORT, (Boolean) value);
            case SocketOptions.IP_TOS -> socket.setTrafficClass((Integer) value);
            default -> throw new SocketException("Unknown option " + id);
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
            case SocketOptions.TCP_NODELAY -> socket.getTcpNoDelay();
            case SocketOptions.SO_LINGER -> socket.getSoLinger();
            case SocketOptions.SO_KEEPALIVE -> socket.getKeepAlive();
            case SocketOptions.SO_OOBINLINE -> socket.getOOBInline();
            case SocketOptions.SO_SNDBUF -> socket.getSendBufferSize();
            case SocketOptions.SO_RCVBUF -> socket.getReceiveBufferSize();
            case SocketOptions.SO_REUSEADDR -> socket.getReuseAddress();
            case SocketOptions.SO_REUSEPORT -> socket.getOption(StandardSocketOptions.SO_REUSEPORT);
            case SocketOptions.IP_TOS -> socket.getTrafficClass();
            default -> throw new SocketException("Unknown option " + id);
        };
    }

    static void set(ServerSocket socket, int id, Object value) throws IOException {
        switch (id) {
            case SocketOptions.SO_TIMEOUT -> socket.setSoTimeout((Integer) value);
            case SocketOptions.SO_RCVBUF -> socket.setReceiveBufferSize((Integer) value);
            case SocketOptions.SO_REUSEADDR -> socket.setReuseAddress((Boolean) value);
            case SocketOptions.SO_REUSEPORT -> socket.setOption(StandardSocketOptions.SO_REUSEPORT, (Boolean) value);
            default -> throw new SocketException("Unknown option " + id);
        }
    }

    /** {@return what connections inherit from a listener on which this was set} */
    static InheritedOptions inherit(InheritedOptions before, int id, Object value) {
        return switch (id) {
            case SocketOptions.SO_RCVBUF -> before.with(StandardSocketOptions.SO_RCVBUF, value);
            case SocketOptions.SO_REUSEADDR -> before.with(StandardSocketOptions.SO_REUSEADDR, value);
            case SocketOptions.SO_REUSEPORT -> before.with(StandardSocketOptions.SO_REUSEPORT, value);
            default -> before;
        };
    }

    /** {@return the result of {@link InheritedOptions#keeping}} */
    static InheritedOptions keeping(InheritedOptions before, int id, Object value) {
        SocketOption<?> name = keepable(id);
        return name == null ? null : before.keeping(name, value);
    }

    /** {@return the option, if it can be set without a TCP socket; otherwise null} */
    static SocketOption<?> keepable(int id) {
        return switch (id) {
            case SocketOptions.TCP_NODELAY -> StandardSocketOptions.TCP_NODELAY;
            case SocketOptions.SO_KEEPALIVE -> StandardSocketOptions.SO_KEEPALIVE;
            case SocketOptions.SO_SNDBUF -> StandardSocketOptions.SO_SNDBUF;
            case SocketOptions.SO_RCVBUF -> StandardSocketOptions.SO_RCVBUF;
            default -> null;
        };
    }

    static Object get(ServerSocket socket, int id) throws IOException {
        return switch (id) {
            case SocketOptions.SO_TIMEOUT -> socket.getSoTimeout();
            case SocketOptions.SO_RCVBUF -> socket.getReceiveBufferSize();
            case SocketOptions.SO_REUSEADDR -> socket.getReuseAddress();
            case SocketOptions.SO_REUSEPORT -> socket.getOption(StandardSocketOptions.SO_REUSEPORT);
            default -> throw new SocketException("Unknown option " + id);
        };
    }
}
