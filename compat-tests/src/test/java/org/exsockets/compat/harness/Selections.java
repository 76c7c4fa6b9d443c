package org.exsockets.compat.harness;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A program: some virtual threads select, each a channel of its own. When the last one is about to, another virtual thread
 * writes to all of them. If those who wait kept the carriers, nobody would ever write.
 */
public final class Selections {
    public static final String ENDED = "all selections have ended";

    private static final int SELECTIONS = 4;

    private Selections() {}

    public static void main(String[] args) throws Exception {
        Patience.leaveToTheTest();
        List<SocketChannel> clients = new ArrayList<>();
        List<VirtualThread<Integer>> selections = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(SELECTIONS);
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getByName(TestHost.NAME), 0));
            for (int i = 0; i < SELECTIONS; i++) {
                clients.add(SocketChannel.open(listener.getLocalAddress()));
                SocketChannel server = listener.accept();
                Selector selector = Selector.open();
                server.configureBlocking(false);
                server.register(selector, SelectionKey.OP_READ);
                selections.add(VirtualThread.start(() -> {
                    begun.countDown();
                    return selector.select();
                }));
            }
            begun.await();
            VirtualThread<Boolean> writer = VirtualThread.start(() -> {
                for (SocketChannel client : clients) {
                    client.write(ByteBuffer.allocate(1));
                }
                return true;
            });
            writer.result();
            for (VirtualThread<Integer> selection : selections) {
                if (selection.result() != 1) {
                    throw new AssertionError("one channel is ready, found: " + selection.result());
                }
            }
        }
        System.out.println(ENDED);
        System.exit(0);
    }
}
