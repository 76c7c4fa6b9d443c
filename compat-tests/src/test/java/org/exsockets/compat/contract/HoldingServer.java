package org.exsockets.compat.contract;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Footprint;
import org.exsockets.compat.harness.PeerProgram;
import org.exsockets.compat.harness.TestHost;

/**
 * Accepts as many connections as come, with one selector and one thread, and echoes what they send. There is one such server
 * in a process. Arguments: {@code listen}, which returns the port; {@code open}, how many connections there are;
 * {@code footprint}; {@code close}.
 */
public final class HoldingServer implements PeerProgram {
    private static final int BACKLOG = 1024;

    /** Used by the threads of commands, one at a time. */
    private static Echoes echoes;

    private static Background<Void> thread;

    @Override
    public String run(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "listen":
                echoes = new Echoes();
                thread = Background.start(echoes::run);
                return Integer.toString(echoes.port());
            case "open":
                return echoes.open.toString();
            case "footprint":
                return Footprint.now().format();
            case "close":
                echoes.selector.close();
                thread.result();
                echoes.closeAll();
                echoes = null;
                thread = null;
                return "";
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** The connections of the server; all but {@link #open} belong to its thread until that has ended. */
    private static final class Echoes {
        final Selector selector = Selector.open();
        final AtomicInteger open = new AtomicInteger();
        private final ServerSocketChannel listener = ServerSocketChannel.open();
        private final Set<SocketChannel> channels = new HashSet<>();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);

        Echoes() throws IOException {
            listener.bind(TestHost.address(0), BACKLOG);
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
        }

        int port() throws IOException {
            return ((InetSocketAddress) listener.getLocalAddress()).getPort();
        }

        /** Serves until the selector is closed. */
        Void run() throws IOException {
            try {
                serve();
            } catch (ClosedSelectorException closed) {
                // At whichever step.
            }
            return null;
        }

        private void serve() throws IOException {
            while (true) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        accept();
                    } else {
                        echo((SocketChannel) key.channel());
                    }
                }
                selector.selectedKeys().clear();
            }
        }

        private void accept() throws IOException {
            for (SocketChannel channel; (channel = listener.accept()) != null; ) {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
                channels.add(channel);
                open.incrementAndGet();
            }
        }

        private void echo(SocketChannel channel) throws IOException {
            buffer.clear();
            if (channel.read(buffer) < 0) {
                channel.close();
                channels.remove(channel);
                open.decrementAndGet();
                return;
            }
            buffer.flip();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }

        void closeAll() throws IOException {
            listener.close();
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }
}
