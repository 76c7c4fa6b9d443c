package org.exsockets.compat.soak;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * {@link Talk}s over non-blocking channels, all of a process on one selector and one thread: those of a listener, and those
 * that others begin.
 */
final class SelectorTalks implements Closeable {
    private static final long SELECT_MS = 500;

    /** How long a listener rests that could not accept. */
    private static final long REST_MS = 20;

    private final Ledger ledger;
    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener;
    private final Random random;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "soak-selector");
    private volatile boolean closed;

    /** A connection; the selector's thread has it. */
    private final class Selected {
        private final Talk talk;
        private final SocketChannel channel;
        private final ByteBuffer in;
        private final ByteBuffer out;

        Selected(Talk talk, SocketChannel channel) {
            this.talk = talk;
            this.channel = channel;
            this.in = Buffers.any(random);
            this.out = Buffers.any(random).limit(0);
        }

        void fail(Throwable failure) {
            talk.fail(failure);
            try {
                channel.close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
            giveBuffers();
        }

        void giveBuffers() {
            Buffers.give(in);
            Buffers.give(out);
        }
    }

    SelectorTalks(Ledger ledger, ServerSocketChannel listener, long seed) throws IOException {
        this.ledger = ledger;
        this.listener = listener;
        this.random = new Random(seed);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        thread.start();
    }

    /** Begins a connection. The channel is this one's. */
    void connect(Talk talk, SocketChannel channel, InetSocketAddress there) {
        tasks.add(() -> {
            Selected selected = new Selected(talk, channel);
            try {
                channel.configureBlocking(false);
                boolean connected = channel.connect(there);
                SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT, selected);
                if (connected) {
                    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                }
            } catch (Throwable e) {
                selected.fail(e);
            }
        });
        selector.wakeup();
    }

    private void run() {
        try {
            while (!closed) {
                selector.select(SELECT_MS);
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.attachment() == null) {
                        accept();
                    } else {
                        serve(key, (Selected) key.attachment());
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (Throwable e) {
            ledger.note(Ledger.Event.WRONG, Talk.UNKNOWN, System.nanoTime(), 0, "selector", Ledger.text(e));
        }
    }

    private void accept() throws InterruptedException {
        long startNs = System.nanoTime();
        try {
            SocketChannel channel = listener.accept();
            if (channel == null) {
                return;
            }
            Selected selected = new Selected(Talk.accepted(ledger, "selector"), channel);
            try {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, selected);
            } catch (Throwable e) {
                selected.fail(e);
            }
        } catch (IOException e) {
            ledger.note(Ledger.Event.NOT_ACCEPTED, Talk.UNKNOWN, startNs, 0, "selector", Ledger.text(e));
            Thread.sleep(REST_MS);
        }
    }

    private void serve(SelectionKey key, Selected selected) {
        try {
            if (key.isConnectable()) {
                if (!selected.channel.finishConnect()) {
                    return;
                }
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            }
            if (key.isReadable()) {
                receive(selected);
            }
            boolean blocked = send(selected);
            if (selected.talk.isOver()) {
                selected.channel.close();
                selected.talk.succeed();
                selected.giveBuffers();
                return;
            }
            key.interestOps(
                    (selected.talk.isPeerEnded() ? 0 : SelectionKey.OP_READ) | (blocked ? SelectionKey.OP_WRITE : 0));
        } catch (Throwable e) {
            selected.fail(e);
        }
    }

    private void receive(Selected selected) throws IOException {
        int n = selected.channel.read(selected.in.clear());
        if (n < 0) {
            selected.talk.onPeerEnded();
        } else {
            selected.talk.onReceived(selected.in.flip());
        }
    }

    /** Sends until there is nothing to be sent, or no room; returns whether there was none. */
    private boolean send(Selected selected) throws IOException {
        while (selected.out.hasRemaining() || selected.talk.fill(selected.out.clear())) {
            int n = selected.channel.write(selected.out);
            selected.talk.onSent(n);
            if (selected.out.hasRemaining()) {
                return true;
            }
        }
        if (selected.talk.mayEnd()) {
            selected.channel.shutdownOutput();
            selected.talk.onEnded();
        }
        return false;
    }

    /** Ends the thread, and closes what is open. */
    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
