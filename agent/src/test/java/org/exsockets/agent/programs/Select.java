package org.exsockets.agent.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Accepts a connection and reads a byte with the help of a selector, and prints {@code select ok}. */
public final class Select {
    private Select() {}

    public static void main(String[] arguments) throws IOException {
        try (Selector selector = Selector.open();
                ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            try (SocketChannel client = SocketChannel.open(listener.getLocalAddress())) {
                selector.select();
                try (SocketChannel server = listener.accept()) {
                    server.configureBlocking(false);
                    server.register(selector, SelectionKey.OP_READ);
                    client.write(ByteBuffer.wrap(new byte[] {7}));
                    selector.selectedKeys().clear();
                    selector.select();
                    ByteBuffer received = ByteBuffer.allocate(8);
                    if (server.read(received) != 1 || received.get(0) != 7) {
                        throw new IllegalStateException("received " + received);
                    }
                }
            }
        }
        System.out.println("select ok");
    }
}
