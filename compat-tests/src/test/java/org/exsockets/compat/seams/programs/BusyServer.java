package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes counters to four clients, two over sockets and two over channels, without a pause, until the JVM ends: by a line of
 * input and {@code System.exit}, or by a signal. Its shutdown hook says of each connection {@code written} and how many
 * bytes calls have returned for. What it does besides is the argument:
 *
 * <ul>
 *   <li>{@code farewell}: it lets every connection end its message, say {@link #FAREWELL} and close;
 *   <li>{@code nothing}: connections are busy when the JVM ends.
 * </ul>
 */
public final class BusyServer {
    static final long FAREWELL = -1;
    static final int CONNECTIONS = 4;
    private static final int LONGS = 128;

    private static volatile boolean ending;

    /** A connection and the thread that writes to it. */
    private static final class Stream extends Thread {
        private final OutputStream out;
        private volatile long written;

        Stream(OutputStream out) {
            this.out = out;
            setDaemon(true);
        }

        @Override
        public void run() {
            ByteBuffer message = ByteBuffer.allocate(LONGS * Long.BYTES);
            try {
                while (!ending) {
                    message.clear();
                    for (int i = 0; i < LONGS; i++) {
                        message.putLong(written / Long.BYTES + i);
                    }
                    out.write(message.array());
                    written += message.capacity();
                }
                out.write(message.clear().putLong(FAREWELL).array(), 0, Long.BYTES);
                out.close();
            } catch (IOException e) {
                System.out.println("failed " + e);
            }
        }
    }

    private BusyServer() {}

    public static void main(String[] args) throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        List<Stream> streams = new ArrayList<>();
        ServerSocket sockets = new ServerSocket();
        sockets.bind(anyPort);
        ServerSocketChannel channels = ServerSocketChannel.open().bind(anyPort);
        boolean farewell = args[0].equals("farewell");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(streams, farewell)));
        System.out.println(
                "serving " + sockets.getLocalPort() + " " + ((InetSocketAddress) channels.getLocalAddress()).getPort());
        for (int i = 0; i < CONNECTIONS / 2; i++) {
            Socket socket = sockets.accept();
            streams.add(new Stream(socket.getOutputStream()));
            SocketChannel channel = channels.accept();
            streams.add(new Stream(channel.socket().getOutputStream()));
        }
        streams.forEach(Thread::start);
        if (System.in.read() >= 0) {
            System.exit(0);
        }
    }

    private static void shutDown(List<Stream> streams, boolean farewell) {
        if (farewell) {
            ending = true;
            for (Stream stream : streams) {
                try {
                    stream.join();
                } catch (InterruptedException e) {
                    System.out.println("failed " + e);
                }
            }
        }
        streams.forEach(stream -> System.out.println("written " + stream.written));
    }
}
