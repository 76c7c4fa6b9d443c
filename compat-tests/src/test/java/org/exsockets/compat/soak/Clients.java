package org.exsockets.compat.soak;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Threads that connect to all processes of the soak, this one included, one connection after the other. */
final class Clients {
    /** How many of a process's sockets have a read time-out. */
    private static final int ONE_IN = 3;

    private static final int READ_TIMEOUT_MS = 30;
    private static final int MOST_PAUSE_MS = 30;

    private final Ledger ledger;
    private final String host;
    private final int process;
    private final List<Integer> firstPorts;
    private final SelectorTalks selected;
    private final AtomicLong numbers = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /**
     * @param process the number of this process, for {@link Ids}
     * @param firstPorts of all processes
     */
    Clients(Ledger ledger, String host, int process, List<Integer> firstPorts, SelectorTalks selected) {
        this.ledger = ledger;
        this.host = host;
        this.process = process;
        this.firstPorts = firstPorts;
        this.selected = selected;
    }

    void begin(int count) {
        for (int i = 0; i < count; i++) {
            Random random = new Random(ledger.seed() * 31 + process * 1000L + i);
            Thread thread = new Thread(() -> work(random), "soak-client-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void work(Random random) {
        Way[] ways = Way.values();
        while (!closed) {
            int node = random.nextInt(firstPorts.size());
            run(random, node, ways[random.nextInt(ways.length)], ways[random.nextInt(ways.length)], false);
            LockSupport.parkNanos(random.nextInt(MOST_PAUSE_MS) * 1_000_000L);
        }
    }

    /** Makes a brief connection of each way to each listener of each node; each of them is noted. */
    void probe() {
        for (int node = 0; node < firstPorts.size(); node++) {
            probe(node);
        }
    }

    /** Makes a brief connection of each way to each listener of a node. */
    void probe(int node) {
        Random random = new Random(ledger.seed());
        for (Way own : Way.values()) {
            for (Way theirs : Way.values()) {
                run(random, node, own, theirs, true);
            }
        }
    }

    /** Makes one connection and waits for its end. */
    private void run(Random random, int node, Way own, Way theirs, boolean brief) {
        InetSocketAddress there = theirs.address(host, firstPorts.get(node));
        Talk talk = Talk.connecting(
                ledger, Ids.of(process, brief, numbers.incrementAndGet()), node + " " + own + "-" + theirs);
        try {
            switch (own) {
                case STREAMS -> {
                    Wire wire = new Wire.OverSocket(connect(there, random.nextInt(ONE_IN) == 0));
                    new BlockingTalk(talk, wire, Buffers.onHeap(random), Buffers.onHeap(random)).run(true);
                }
                case CHANNEL -> {
                    Wire wire = new Wire.OverChannel(SocketChannel.open(there));
                    new BlockingTalk(talk, wire, Buffers.any(random), Buffers.any(random)).run(true);
                }
                case ASYNCHRONOUS ->
                    new AsynchronousTalk(talk, AsynchronousSocketChannel.open(), random).connect(there);
                default -> selected.connect(talk, SocketChannel.open(), there);
            }
        } catch (IOException | RuntimeException e) {
            talk.fail(e);
        }
        talk.awaitNoted();
    }

    private static Socket connect(InetSocketAddress there, boolean timeout) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(there);
            if (timeout) {
                socket.setSoTimeout(READ_TIMEOUT_MS);
            }
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Begins no more connections, and waits for the end of those that there are. */
    void close() throws InterruptedException {
        closed = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
