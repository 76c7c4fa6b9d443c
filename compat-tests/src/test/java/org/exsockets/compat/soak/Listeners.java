package org.exsockets.compat.soak;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Listeners of a process, one of each {@link Way}, at ports that follow each other, and what serves their connections. Who
 * cannot accept, tries again a little later: that is how servers live through a lack of descriptors.
 */
final class Listeners implements Closeable {
    private static final int BACKLOG = 200;
    private static final long REST_NS = 20_000_000;

    private final Ledger ledger;
    private final long seed;
    private final AtomicLong accepted = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> new Thread(task, "soak-server"));
    private final ServerSocket socket = new ServerSocket();
    private final ServerSocketChannel channel = ServerSocketChannel.open();
    private final AsynchronousServerSocketChannel asynchronous = AsynchronousServerSocketChannel.open();
    private final SelectorTalks selected;
    private volatile boolean closed;

    Listeners(Ledger ledger, String host, int firstPort, long seed) throws IOException {
        this.ledger = ledger;
        this.seed = seed;
        socket.bind(Way.STREAMS.address(host, firstPort), BACKLOG);
        channel.bind(Way.CHANNEL.address(host, firstPort), BACKLOG);
        InetSocketAddress third = Way.ASYNCHRONOUS.address(host, firstPort);
        asynchronous.bind(third, BACKLOG);
        ServerSocketChannel last = ServerSocketChannel.open().bind(Way.SELECTOR.address(host, firstPort), BACKLOG);
        selected = new SelectorTalks(ledger, last, seed);
        threads.execute(() -> accept("streams", () -> {
            Wire next = overStreams(socket.accept());
            return () -> serve("streams", next, false);
        }));
        threads.execute(() -> accept("channel", () -> {
            SocketChannel next = channel.accept();
            return () -> serve("channel", new Wire.OverChannel(next), true);
        }));
        acceptAsynchronously();
    }

    SelectorTalks selected() {
        return selected;
    }

    private Random random() {
        return new Random(seed + accepted.incrementAndGet());
    }

    private Wire overStreams(Socket next) throws IOException {
        try {
            return new Wire.OverSocket(next);
        } catch (IOException e) {
            next.close();
            throw e;
        }
    }

    private void accept(String where, Callable<Runnable> accept) {
        while (!closed) {
            long startNs = System.nanoTime();
            try {
                threads.execute(accept.call());
            } catch (Throwable e) {
                notAccepted(where, startNs, e);
            }
        }
    }

    private void serve(String where, Wire wire, boolean channels) {
        Random random = random();
        new BlockingTalk(
                        Talk.accepted(ledger, where),
                        wire,
                        channels ? Buffers.any(random) : Buffers.onHeap(random),
                        channels ? Buffers.any(random) : Buffers.onHeap(random))
                .run(false);
    }

    private void notAccepted(String where, long startNs, Throwable e) {
        if (!closed) {
            boolean expected = e instanceof IOException && !(e instanceof ClosedChannelException);
            Ledger.Event event = expected ? Ledger.Event.NOT_ACCEPTED : Ledger.Event.WRONG;
            ledger.note(event, Talk.UNKNOWN, startNs, 0, where, Ledger.text(e));
            LockSupport.parkNanos(REST_NS);
        }
    }

    private void acceptAsynchronously() {
        long startNs = System.nanoTime();
        asynchronous.accept(
                null,
                new AsynchronousTalk.Handler<AsynchronousSocketChannel>(
                        next -> {
                            new AsynchronousTalk(Talk.accepted(ledger, "asynchronous"), next, random()).begin();
                            acceptAsynchronously();
                        },
                        e -> {
                            notAccepted("asynchronous", startNs, e);
                            if (!closed && !(e instanceof AsynchronousCloseException)) {
                                acceptAsynchronously();
                            }
                        }));
    }

    /** Closes all listeners; what they have accepted goes on, but for what the selector serves. */
    @Override
    public void close() throws IOException {
        closed = true;
        socket.close();
        channel.close();
        asynchronous.close();
        selected.close();
        threads.shutdown();
    }
}
