package org.exsockets.compat.seams.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.exsockets.compat.harness.SharedMappings;

/**
 * A selector answers while everything that tells peers of its sleep is wiped out again and again, as a peer might do. Says how many rounds were
 * answered.
 */
public final class ScribbledSigns {
    private static final int ROUNDS = 5;
    private static final int BUSY = 500;

    /** What a process tells its peers of itself is shorter than any segment. */
    private static final long LONGEST = 256 << 10;

    private ScribbledSigns() {}

    public static void main(String[] args) throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Thread server = new Thread(() -> serve(listener), "server");
            server.setDaemon(true);
            server.start();
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                for (int round = 0; round < ROUNDS; round++) {
                    for (int i = 0; i < BUSY; i++) { // The peer of a busy connection looks at the sign.
                        exchange(client, i);
                    }
                    Thread.sleep(20); // The selector sleeps by then; if it does not, nothing is lost.
                    wipe();
                    exchange(client, round);
                }
            }
        }
        System.out.println("answered " + ROUNDS);
    }

    private static void exchange(Socket client, int number) throws IOException {
        client.getOutputStream().write(number);
        if (client.getInputStream().read() != (number & 0xff)) {
            throw new IllegalStateException("another byte came back");
        }
    }

    private static void wipe() throws IOException {
        try (SharedMappings mappings = new SharedMappings()) {
            for (SharedMappings.Mapping each : SharedMappings.find()) {
                if (each.lengthBytes() < LONGEST) {
                    mappings.write(each.address(), new byte[(int) each.lengthBytes()]);
                }
            }
        }
    }

    private static void serve(ServerSocketChannel listener) {
        try (Selector selector = Selector.open();
                SocketChannel channel = listener.accept()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            ByteBuffer buffer = ByteBuffer.allocate(1);
            while (true) {
                selector.select();
                selector.selectedKeys().clear();
                buffer.clear();
                if (channel.read(buffer) > 0) {
                    channel.write(buffer.flip());
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
