package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Many connections on one Selector and one thread, one request in flight on each active one; or, idle, used once and
 * held.
 */
final class EchoClient implements Side {
    private final InetSocketAddress server;
    private final boolean idle;
    private final int connections;
    private final int active;
    private final int sizeBytes;
    private final List<Requests> all = new ArrayList<>();
    private final List<Requests> used = new ArrayList<>();
    private final Selector selector = Selector.open();
    private final Latencies latencies = new Latencies();
    private final CpuClock cpu = new CpuClock();
    private long answered;

    EchoClient(Fields spec, boolean idle) throws IOException {
        this.idle = idle;
        server = new InetSocketAddress(Listening.host(), spec.integer("port"));
        connections = spec.integer("connections") - (spec.has("held") ? spec.integer("held") : 0);
        active = spec.has("active") ? spec.integer("active") : connections;
        sizeBytes = spec.integer("size");
    }

    @Override
    public void open() throws IOException {
        for (int i = 0; i < connections; i++) {
            SocketChannel channel = SocketChannel.open(server);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            Requests requests = new Requests(channel, sizeBytes);
            channel.register(selector, SelectionKey.OP_READ, requests);
            all.add(requests);
            if ((long) i * active % connections < active) {
                used.add(requests);
            }
        }
    }

    @Override
    public Fields round(double seconds) throws IOException {
        latencies.reset();
        answered = 0;
        cpu.start();
        long startNs = System.nanoTime();
        long deadlineNs = startNs + (idle ? 0 : (long) (seconds * 1e9));
        for (Requests requests : used) {
            requests.send(System.nanoTime(), false);
        }
        run(deadlineNs, used.size());
        used.get(0).send(System.nanoTime(), true);
        run(deadlineNs, 1);
        long elapsedNs = System.nanoTime() - startNs;
        if (idle) {
            IdlePhase.hold(selector, IdlePhase.SETTLING_SECONDS);
            cpu.start();
            elapsedNs = IdlePhase.hold(selector, seconds);
        }
        return latencies.into(new Fields("figures")
                .with("operations", answered)
                .with("elapsedNs", elapsedNs)
                .with("cpuNs", cpu.elapsedNs()));
    }

    /** Answers every response with a new request until the deadline, then waits for those in flight. */
    private void run(long deadlineNs, int inFlight) throws IOException {
        int waiting = inFlight;
        while (waiting > 0) {
            selector.select();
            Iterator<SelectionKey> selected = selector.selectedKeys().iterator();
            while (selected.hasNext()) {
                Requests requests = (Requests) selected.next().attachment();
                selected.remove();
                if (requests.receive()) {
                    long nowNs = System.nanoTime();
                    latencies.record(nowNs - requests.sentNs);
                    answered++;
                    if (nowNs < deadlineNs) {
                        requests.send(nowNs, false);
                    } else {
                        waiting--;
                    }
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Requests requests : all) {
            requests.channel.close();
        }
        selector.close();
    }

    /** One connection's requests, one after the other. */
    private static final class Requests {
        final SocketChannel channel;
        final ByteBuffer message;
        long sequence;
        long sentNs;

        Requests(SocketChannel channel, int sizeBytes) {
            this.channel = channel;
            this.message = ByteBuffer.allocateDirect(sizeBytes);
        }

        void send(long nowNs, boolean last) throws IOException {
            message.clear();
            message.put(0, Flags.of(sequence, last));
            sentNs = nowNs;
            EchoServer.send(channel, message);
        }

        boolean receive() throws IOException {
            if (!EchoServer.receive(channel, message)) {
                return false;
            }
            Flags.check(message.get(0), sequence++);
            return true;
        }
    }
}
