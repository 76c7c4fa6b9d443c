package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import org.exsockets.bench.e2e.endpoint.Listening.ChannelListening;
import org.exsockets.bench.e2e.endpoint.Listening.SocketListening;

/** The faces of the JDK through which a workload can reach its connection. */
public enum Face {
    /** Blocking {@code SocketChannel}, direct buffers. */
    CHANNEL,
    /** Blocking {@code SocketChannel}, heap buffers. */
    HEAP,
    /** {@code Socket} and its streams. */
    SOCKET,
    /** Non-blocking {@code SocketChannel} with a {@code Selector}. */
    SELECTOR;

    private static final int BACKLOG = 4096;

    /** {@return its name in a command line and in a row} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Face of(Fields spec) {
        return valueOf(spec.text("face").toUpperCase(Locale.ROOT));
    }

    Listening listen() throws IOException {
        return this == SOCKET
                ? new SocketListening(new ServerSocket(0, BACKLOG, Listening.host()))
                : new ChannelListening(ServerSocketChannel.open().bind(Listening.anyPort(), BACKLOG));
    }

    Wire connect(int port, WireOptions options) throws IOException {
        InetSocketAddress server = new InetSocketAddress(Listening.host(), port);
        if (this == SOCKET) {
            Socket socket = new Socket();
            socket.connect(server);
            return wire(socket, options);
        }
        return wire(SocketChannel.open(server), options);
    }

    Wire wire(Socket socket, WireOptions options) throws IOException {
        if (options.noDelay()) {
            socket.setTcpNoDelay(true);
        }
        return options.metered() == null
                ? new SocketWire(socket, options.sizeBytes())
                : options.metered().socket(socket, options.sizeBytes());
    }

    Wire wire(SocketChannel channel, WireOptions options) throws IOException {
        if (options.noDelay()) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        int sizeBytes = options.sizeBytes();
        Metered metered = options.metered();
        if (this == SELECTOR) {
            return metered == null ? new SelectorWire(channel, sizeBytes) : metered.selector(channel, sizeBytes);
        }
        ByteBuffer buffer = this == HEAP ? ByteBuffer.allocate(sizeBytes) : ByteBuffer.allocateDirect(sizeBytes);
        return metered == null ? new ChannelWire(channel, buffer) : metered.channel(channel, buffer);
    }
}
