package org.exsockets.compat.contract;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Footprint;
import org.exsockets.compat.harness.PeerProgram;
import org.exsockets.compat.harness.TestHost;

/**
 * Takes one connection after the other, by a listener and a thread for each kind. The first byte of each is answered by its
 * complement. After an even one the connection is closed here; after an odd one the client must reset it. Arguments:
 * {@code listen}, which returns a port for each of {@link ChurnContract.Kind}; {@code footprint}; {@code close}.
 */
public final class ChurnServer implements PeerProgram {
    private static final int BACKLOG = 50;

    /** What is to be closed in the end; used by the commands, which come one at a time. */
    private static final List<Closeable> LISTENERS = new ArrayList<>();

    private static final List<Background<Void>> THREADS = new ArrayList<>();

    @Override
    public String run(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "listen":
                return listen();
            case "footprint":
                return Footprint.now().format();
            case "close":
                for (Closeable listener : LISTENERS) {
                    listener.close();
                }
                for (Background<Void> thread : THREADS) {
                    thread.result();
                }
                return "";
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static String listen() throws IOException {
        ServerSocket sockets = new ServerSocket(0, BACKLOG, InetAddress.getByName(TestHost.NAME));
        ServerSocketChannel channels = ServerSocketChannel.open().bind(TestHost.address(0), BACKLOG);
        Selecting selecting = new Selecting();
        AsynchronousChannelGroup group = AsynchronousChannelGroup.withFixedThreadPool(1, Thread::new);
        AsynchronousServerSocketChannel asynchronous =
                AsynchronousServerSocketChannel.open(group).bind(TestHost.address(0), BACKLOG);
        LISTENERS.addAll(List.of(sockets, channels, selecting, asynchronous, group::shutdown));
        untilClosed(() -> serve(sockets.accept()));
        untilClosed(() -> serve(channels.accept()));
        untilClosed(selecting::select);
        untilClosed(() -> serve(asynchronous));
        return sockets.getLocalPort() + " " + port(channels.getLocalAddress()) + " "
                + port(selecting.listener.getLocalAddress()) + " " + port(asynchronous.getLocalAddress());
    }

    private static int port(Object address) {
        return ((InetSocketAddress) address).getPort();
    }

    /** Calls again and again until a listener is closed. */
    private static void untilClosed(Callable<Void> once) {
        THREADS.add(Background.start(() -> {
            while (true) {
                try {
                    once.call();
                } catch (ClosedChannelException closed) {
                    return null;
                } catch (IOException e) {
                    if ("Socket closed".equals(e.getMessage())) {
                        return null;
                    }
                    throw e;
                }
            }
        }));
    }

    private static Void serve(Socket socket) throws Exception {
        try (socket) {
            int first = socket.getInputStream().read();
            socket.getOutputStream().write(~first);
            if ((first & 1) == 1) {
                awaitReset(() -> socket.getInputStream().read());
            }
        }
        return null;
    }

    private static Void serve(SocketChannel channel) throws Exception {
        try (channel) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one);
            byte first = answer(one);
            channel.write(one);
            if ((first & 1) == 1) {
                awaitReset(() -> channel.read(one.clear()));
            }
        }
        return null;
    }

    private static Void serve(AsynchronousServerSocketChannel listener) throws Exception {
        AsynchronousSocketChannel channel;
        try {
            channel = listener.accept().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof AsynchronousCloseException ? (AsynchronousCloseException) e.getCause() : e;
        }
        try (channel) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one).get();
            byte first = answer(one);
            channel.write(one).get();
            if ((first & 1) == 1) {
                throw new AssertionError("asynchronous channels have no option to reset by");
            }
        }
        return null;
    }

    /** Makes what was read the answer. */
    private static byte answer(ByteBuffer one) {
        byte first = one.flip().get(0);
        one.put(0, (byte) ~first);
        return first;
    }

    private static void awaitReset(Callable<Integer> read) throws Exception {
        int n;
        try {
            n = read.call();
        } catch (IOException e) {
            if ("Connection reset".equals(e.getMessage())) {
                return;
            }
            throw e;
        }
        throw new AssertionError("no reset: read=" + n);
    }

    /** The kind with a selector: it may serve several connections at a time. Belongs to its thread, but for the closing. */
    private static final class Selecting implements Closeable {
        final ServerSocketChannel listener = ServerSocketChannel.open();
        private final Selector selector = Selector.open();

        Selecting() throws IOException {
            listener.bind(TestHost.address(0), BACKLOG);
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
        }

        /** One selection; later ones throw that the listener is closed. */
        Void select() throws Exception {
            selector.select();
            if (!listener.isOpen()) {
                selector.close();
                throw new ClosedChannelException();
            }
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isAcceptable()) {
                    accept();
                } else {
                    serve(key, (SocketChannel) key.channel());
                }
            }
            selector.selectedKeys().clear();
            return null;
        }

        private void accept() throws IOException {
            SocketChannel channel = listener.accept();
            if (channel != null) {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
            }
        }

        /** The key's attachment is the first byte, when that has been an odd one. */
        private static void serve(SelectionKey key, SocketChannel channel) throws Exception {
            ByteBuffer one = ByteBuffer.allocate(1);
            if (key.attachment() != null) {
                try (channel) {
                    awaitReset(() -> channel.read(one));
                }
                return;
            }
            channel.read(one);
            byte first = answer(one);
            channel.write(one);
            if ((first & 1) == 1) {
                key.attach(first);
            } else {
                channel.close();
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
            selector.wakeup();
        }
    }
}
