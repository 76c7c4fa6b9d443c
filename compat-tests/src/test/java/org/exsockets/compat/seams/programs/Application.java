package org.exsockets.compat.seams.programs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.harness.Patience;

/**
 * An application that uses connections in every way that takes objects of its own classes, and closes them. Public for {@link
 * Container}, which makes it by its name.
 */
public final class Application implements Callable<Void> {
    private final String what;

    public Application(String what) {
        this.what = what;
    }

    @Override
    public Void call() throws Exception {
        switch (what) {
            case "sockets" -> sockets();
            case "channels" -> channels();
            case "asynchronous" -> asynchronousChannels();
            default -> throw new IllegalArgumentException(what);
        }
        return null;
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Sockets of its own classes. */
    private static final class OwnSocket extends Socket {}

    /** With threads of its own that end, and one wait that lasts longer than spinning does. */
    private static void sockets() throws Exception {
        Conversation.sockets();
        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(anyPort());
            try (Socket client = new OwnSocket()) {
                client.connect(listener.getLocalSocketAddress());
                try (Socket server = listener.accept()) {
                    CompletableFuture<Integer> reading = new CompletableFuture<>();
                    Thread reader = new Thread(() -> {
                        try {
                            reading.complete(server.getInputStream().read());
                        } catch (Exception e) {
                            reading.completeExceptionally(e);
                        }
                    });
                    reader.start();
                    client.setSoTimeout(100);
                    try {
                        client.getInputStream().read();
                        throw new IllegalStateException("nothing was written");
                    } catch (SocketTimeoutException expected) {
                        client.getOutputStream().write(1);
                    }
                    reading.get();
                    reader.join();
                }
            }
        }
    }

    /** With attachments, and a connect that does not block. */
    private static void channels() throws Exception {
        Conversation.channels();
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(anyPort());
                SocketChannel client = SocketChannel.open();
                Selector selector = Selector.open()) {
            client.configureBlocking(false);
            SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT, new Attached());
            client.connect(listener.getLocalAddress());
            while (!client.finishConnect()) {
                selector.select(each -> ((Attached) each.attachment()).seen++, 50);
            }
            key.interestOps(SelectionKey.OP_READ);
            selector.select(100);
            listener.accept().close();
            selector.select();
        }
    }

    private static final class Attached {
        int seen;
    }

    /** With a group, whose threads and handlers are its own. */
    private static void asynchronousChannels() throws Exception {
        AsynchronousChannelGroup group = AsynchronousChannelGroup.withFixedThreadPool(2, Thread::new);
        try (AsynchronousServerSocketChannel listener =
                        AsynchronousServerSocketChannel.open(group).bind(anyPort());
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open(group)) {
            Handler<AsynchronousSocketChannel> accepting = new Handler<>();
            listener.accept(null, accepting);
            client.connect(listener.getLocalAddress()).get();
            try (AsynchronousSocketChannel server = accepting.get()) {
                Handler<Integer> reading = new Handler<>();
                server.read(ByteBuffer.allocate(1), Patience.NEVER_MS, TimeUnit.MILLISECONDS, null, reading);
                client.write(ByteBuffer.allocate(1)).get();
                reading.get();
            }
        } finally {
            group.shutdownNow();
            if (!group.awaitTermination(Patience.NEVER_MS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the group does not end");
            }
        }
    }

    private static final class Handler<V> extends CompletableFuture<V> implements CompletionHandler<V, Void> {
        @Override
        public void completed(V result, Void attachment) {
            complete(result);
        }

        @Override
        public void failed(Throwable failure, Void attachment) {
            completeExceptionally(failure);
        }
    }
}
