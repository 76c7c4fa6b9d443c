package org.exsockets.agent.selftest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** The streams of a socket of {@code java.net}. */
final class SocketLink extends Link {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    SocketLink(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    static Link connect(InetSocketAddress server) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(server);
            return new SocketLink(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes);
    }

    @Override
    void send(ByteBuffer bytes) throws IOException {
        out.write(bytes.array(), bytes.position(), bytes.remaining());
        bytes.position(bytes.limit());
    }

    @Override
    int receive(ByteBuffer into) throws IOException {
        int received = in.read(into.array(), into.position(), into.remaining());
        into.position(into.position() + Math.max(received, 0));
        return received;
    }

    @Override
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
