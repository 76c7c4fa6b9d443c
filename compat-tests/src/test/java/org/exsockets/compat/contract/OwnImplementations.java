package org.exsockets.compat.contract;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.TestHost;

/**
 * A program that sets a {@code SocketImplFactory} of its own for its client sockets. A process can do that only once, so
 * it has one for itself.
 */
public final class OwnImplementations {
    /** What the program prints. */
    static final String EXPECTED = String.join(
            System.lineSeparator(),
            "client: own implementation, connected true, read 42",
            "second factory: factory already defined",
            "listener: platform's, accepted 7, port right true",
            "listener into own implementation: refused",
            "");

    private OwnImplementations() {}

    /** Returns the command line of the program. */
    static List<String> command(List<String> jvmArguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "-Dexs.test.host=" + TestHost.NAME));
        command.add(OwnImplementations.class.getName());
        return command;
    }

    /** Runs the program. */
    @SuppressWarnings("deprecation") // Programs use it all the same.
    public static void main(String[] arguments) throws Exception {
        Socket.setSocketImplFactory(Canned::new);
        try (Socket client = new Socket()) {
            client.connect(new InetSocketAddress("192.0.2.1", 9));
            System.out.println("client: own implementation, connected " + client.isConnected() + ", read "
                    + client.getInputStream().read());
        }
        try {
            Socket.setSocketImplFactory(Canned::new);
        } catch (SocketException e) {
            System.out.println("second factory: " + e.getMessage());
        }
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getByName(TestHost.NAME));
                SocketChannel client = SocketChannel.open(listener.getLocalSocketAddress());
                Socket accepted = listener.accept()) {
            client.write(ByteBuffer.wrap(new byte[] {7}));
            int port = ((InetSocketAddress) client.getLocalAddress()).getPort();
            System.out.println("listener: platform's, accepted "
                    + accepted.getInputStream().read() + ", port right " + (accepted.getPort() == port));
        }
        class Listener extends ServerSocket {
            Listener() throws IOException {
                super(0, 5, InetAddress.getByName(TestHost.NAME));
            }

            @Override
            public Socket accept() throws IOException {
                Socket own = new Socket();
                implAccept(own);
                return own;
            }
        }
        try (ServerSocket listener = new Listener();
                SocketChannel client = SocketChannel.open(listener.getLocalSocketAddress())) {
            listener.accept();
            System.out.println("listener into own implementation: accepted from " + client);
        } catch (IOException e) {
            System.out.println("listener into own implementation: "
                    + (e.getMessage().contains("cannot accept a connection with an instance of")
                            ? "refused"
                            : e.getMessage()));
        }
    }

    /** Is connected to nobody and always reads the same. */
    private static final class Canned extends SocketImpl {
        @Override
        protected void create(boolean stream) {}

        @Override
        protected void connect(String host, int port) {}

        @Override
        protected void connect(InetAddress address, int port) {}

        @Override
        protected void connect(SocketAddress address, int timeout) {}

        @Override
        protected void bind(InetAddress host, int port) {}

        @Override
        protected void listen(int backlog) {}

        @Override
        protected void accept(SocketImpl accepted) throws IOException {
            throw new IOException("accepts nobody");
        }

        @Override
        protected InputStream getInputStream() {
            return new ByteArrayInputStream(new byte[] {42});
        }

        @Override
        protected OutputStream getOutputStream() {
            return new ByteArrayOutputStream();
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
        public void setOption(int id, Object value) {}

        @Override
        public Object getOption(int id) {
            return null;
        }
    }
}
