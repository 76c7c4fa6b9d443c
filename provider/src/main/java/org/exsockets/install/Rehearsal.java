package org.exsockets.install;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.exsockets.connection.Close;
import org.exsockets.connection.ExsConnection;
import org.exsockets.jdk.Threads;
import org.exsockets.nio.NioProvider;
import org.exsockets.observe.DeviceKind;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.observe.Traffic;
import org.exsockets.rendezvous.OwnPair;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.waiting.ProgressThread;
import org.exsockets.waiting.Wait;

/**
 * Exchanges messages over connections of this process with itself, which nobody else sees, so that the JVM compiles the
 * path of data. A program that calls now and then would stay in the interpreter for minutes, and pay for the length of
 * the path with each call; TCP's path is the kernel's, and compiled. Two threads wait for each other as programs do.
 *
 * <p>It is for programs that rest, and leaves the cores to all others: it begins {@value #GRACE_MS} ms after the first
 * connection over shared memory, and each burst waits until the process is at rest ({@link Rest}). {@link #run} is for
 * any thread, and does not block.
 */
final class Rehearsal implements Runnable {
    private static final String THREAD = "exs-rehearsal";

    /** Programs that have ended by then are short ones, and those that have not have begun in earnest. */
    private static final long GRACE_MS = 2_000;

    /** Of each of two kinds in turn, and of a connection of its own: between bursts nothing is held. */
    static final int BURSTS = 6;

    /** Three times so many are beyond the 200 calls that make HotSpot compile a method (Tier3InvocationThreshold). */
    static final int ROUNDS = 100;

    /** Within a burst the cores are free so often, and so long. */
    private static final int BREATH = 20;

    private static final long PAUSE_MS = 5;

    private static final int MESSAGE_BYTES = 64;

    /** A program that has had so many has met the path often enough, and needs the cores. */
    private static final int MANY_CONNECTIONS = 100;

    /** As many: hundreds of messages, or a few very long ones. */
    private static final long MANY_BYTES = 8 << 20;

    private final long enoughConnections;
    private final long enoughBytes;

    @GuardedBy("this")
    private boolean begun;

    /** The JVM ends: it would wait for threads that sleep in native calls. */
    private volatile boolean ended;

    Rehearsal() {
        this(MANY_CONNECTIONS, MANY_BYTES);
    }

    /** Either of the two, of the program, ends the rehearsal. */
    Rehearsal(long enoughConnections, long enoughBytes) {
        this.enoughConnections = enoughConnections;
        this.enoughBytes = enoughBytes;
    }

    @Override
    public synchronized void run() {
        if (!begun) {
            begun = true;
            ProgressThread.trySubmitLater(new Runnable() {
                @Override
                public void run() {
                    start(new Play() {
                        @Override
                        public void run() throws IOException, InterruptedException {
                            Thread.sleep(GRACE_MS);
                            rehearse(new Rest());
                        }
                    });
                }
            });
        }
    }

    /** Exchanges the messages, by this thread and another one. {@return how many have been answered} */
    int rehearse(Rest rest) throws IOException, InterruptedException {
        int answered = 0;
        for (int burst = 0; burst < BURSTS && !isNeedless() && rest.await() && !isNeedless(); burst++) {
            answered += burst % 2 == 0 ? channels() : arrays();
        }
        return answered;
    }

    /** Ends it, before its connections are ended. Any thread. */
    void end() {
        ended = true;
    }

    private boolean isOver() {
        return ended || Statistics.jvm().connections(DeviceKind.SOFT) >= enoughConnections;
    }

    private boolean isNeedless() {
        Traffic all = Statistics.jvm().traffic();
        long bytes = all.bytesSentDirect + all.bytesSentIndirect;
        bytes += all.bytesReceivedDirect + all.bytesReceivedIndirect;
        return isOver() || bytes >= enoughBytes;
    }

    /** What a thread does. */
    private interface Play {
        void run() throws IOException, InterruptedException;
    }

    private static Thread start(Play play) {
        Thread thread = Threads.daemon(THREAD, new Runnable() {
            @Override
            public void run() {
                try {
                    play.run();
                } catch (IOException | InterruptedException | RuntimeException | Error e) {
                    if (Log.debugEnabled()) {
                        Log.debug("rehearsal: ends: " + e);
                    }
                }
            }
        });
        thread.start();
        return thread;
    }

    /** A blocking client, and a server with a selector. */
    private int channels() throws IOException, InterruptedException {
        OwnPair pair = pair();
        NioProvider provider = new NioProvider();
        try (SocketChannel client = provider.ownChannel(new ExsConnection(pair.connected(), false));
                SocketChannel server = provider.ownChannel(new ExsConnection(pair.accepted(), false));
                Selector selector = provider.openOwnSelector()) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_READ);
            Thread peer = start(new Play() {
                @Override
                public void run() throws IOException {
                    answer(server, selector);
                }
            });
            ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_BYTES);
            int round = 0;
            while (round < ROUNDS && !isOver()) {
                client.write(message.clear());
                client.read(message.clear());
                breathe(++round);
            }
            client.shutdownOutput();
            peer.join();
            return round;
        }
    }

    private static void answer(SocketChannel server, Selector selector) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        try {
            while (server.read(message.clear()) >= 0) {
                server.write(message.flip());
                selector.select();
                selector.selectedKeys().clear();
            }
        } finally {
            server.close();
        }
    }

    /** Both ends as sockets: blocking, with arrays. */
    private int arrays() throws IOException, InterruptedException {
        OwnPair pair = pair();
        ExsConnection client = new ExsConnection(pair.connected(), false);
        ExsConnection server = new ExsConnection(pair.accepted(), false);
        try {
            Thread peer = start(new Play() {
                @Override
                public void run() throws IOException {
                    try {
                        byte[] message = new byte[MESSAGE_BYTES];
                        for (int n; (n = server.read(message, 0, MESSAGE_BYTES, Wait.UNINTERRUPTIBLE)) > 0; ) {
                            server.write(message, 0, n, Wait.UNINTERRUPTIBLE);
                        }
                    } finally {
                        server.close(Close.ORDERLY);
                    }
                }
            });
            byte[] message = new byte[MESSAGE_BYTES];
            int round = 0;
            while (round < ROUNDS && !isOver()) {
                client.write(message, 0, MESSAGE_BYTES, Wait.UNINTERRUPTIBLE);
                client.read(message, 0, MESSAGE_BYTES, Wait.UNINTERRUPTIBLE);
                breathe(++round);
            }
            client.shutdownOutput();
            peer.join();
            return round;
        } finally {
            client.close(Close.ORDERLY);
            server.close(Close.ORDERLY);
        }
    }

    private static OwnPair pair() throws IOException {
        OwnPair pair = Rendezvous.get().ownPair();
        if (pair == null) {
            throw new IOException("no shared memory");
        }
        return pair;
    }

    private static void breathe(int round) throws InterruptedException {
        if (round % BREATH == 0) {
            Thread.sleep(PAUSE_MS);
        }
    }
}
