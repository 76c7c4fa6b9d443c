package org.exsockets.agent.programs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketImpl;

/** Sets a socket factory of its own, for sockets from which one can only read 42, and prints what it reads. */
public final class OwnFactory {
    private OwnFactory() {}

    @SuppressWarnings("deprecation")
    public static void main(String[] arguments) throws IOException {
        Socket.setSocketImplFactory(Source::new);
        try (Socket socket = new Socket("127.0.0.1", 9)) {
            System.out.println("read " + socket.getInputStream().read());
        }
    }

    private static final class Source extends SocketImpl {
        @Override
        protected void create(boolean stream) {}

        @Override
        protected void connect(String host, int port) {}

        @Override
        protected void connect(InetAddress address, int port) {}

        @Override
        protected void connect(SocketAddress address, int timeoutMs) {}

        @Override
        protected void bind(InetAddress host, int port) {}

        @Override
        protected void listen(int backlog) {}

        @Override
        protected void accept(SocketImpl accepted) {}

        @Override
        protected InputStream getInputStream() {
            return new ByteArrayInputStream(new byte[] {42});
        }

        @Override
        protected OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        protected int available() {
            return 1;
        }

        @Override
        protected void close() {}

        @Override
        protected void sendUrgentData(int data) {}

        @Override
        public void setOption(int optionId, Object value) {}

        @Override
        public Object getOption(int optionId) {
            return null;
        }
    }
}
