package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** {@link ApiStreaming} over blocking sockets of the JDK, a thread for each connection. */
final class PlainStreaming {
    private PlainStreaming() {}

    /** What both sides have: the connections and their threads. */
    private abstract static class End implements Side {
        final CpuClock cpu = new CpuClock();
        final int sizeBytes;
        final int connections;
        final WireOptions options;
        final List<Wire> wires = new ArrayList<>();
        final ExecutorService threads;

        End(Fields spec) {
            sizeBytes = spec.integer("size");
            connections = spec.has("connections") ? spec.integer("connections") : 1;
            options = WireOptions.of(spec);
            threads = Executors.newFixedThreadPool(connections);
        }

        /** Runs a task on each connection, and waits for all. */
        void onEach(WireTask task) throws IOException {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (Wire wire : wires) {
                tasks.add(() -> {
                    task.run(wire);
                    return null;
                });
            }
            try {
                for (Future<Void> each : threads.invokeAll(tasks)) {
                    each.get();
                }
            } catch (InterruptedException | ExecutionException e) {
                throw new IOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            for (Wire wire : wires) {
                wire.close();
            }
            threads.shutdown();
        }
    }

    private interface WireTask {
        void run(Wire wire) throws IOException;
    }

    static final class Server extends End implements Side.Server {
        private final Listening listening;

        Server(Fields spec) throws IOException {
            super(spec);
            listening = Face.CHANNEL.listen();
        }

        @Override
        public int port() throws IOException {
            return listening.port();
        }

        @Override
        public void open() throws IOException {
            for (int i = 0; i < connections; i++) {
                wires.add(listening.accept(Face.CHANNEL, options));
            }
        }

        @Override
        public Fields round(double seconds) throws IOException {
            cpu.start();
            AtomicLong received = new AtomicLong();
            onEach(wire -> {
                boolean last = false;
                long bytes = 0;
                while (!last) {
                    wire.receive(sizeBytes);
                    bytes += sizeBytes;
                    last = Flags.isLast(wire.at(0));
                }
                wire.send(1);
                received.addAndGet(bytes);
            });
            return new Fields("figures").with("receivedBytes", received.get()).with("cpuNs", cpu.elapsedNs());
        }

        @Override
        public void close() throws IOException {
            super.close();
            listening.close();
        }
    }

    static final class Client extends End {
        private final int port;

        Client(Fields spec) {
            super(spec);
            port = spec.integer("port");
        }

        @Override
        public void open() throws IOException {
            for (int i = 0; i < connections; i++) {
                wires.add(Face.CHANNEL.connect(port, options));
            }
        }

        @Override
        public Fields round(double seconds) throws IOException {
            cpu.start();
            long startNs = System.nanoTime();
            long deadlineNs = startNs + (long) (seconds * 1e9);
            AtomicLong sent = new AtomicLong();
            onEach(wire -> {
                boolean last = false;
                long messages = 0;
                while (!last) {
                    last = System.nanoTime() >= deadlineNs;
                    wire.put(0, Flags.of(messages++, last));
                    wire.send(sizeBytes);
                }
                wire.receive(1);
                sent.addAndGet(messages);
            });
            return new Fields("figures")
                    .with("operations", sent.get())
                    .with("bytes", sent.get() * sizeBytes)
                    .with("elapsedNs", System.nanoTime() - startNs)
                    .with("cpuNs", cpu.elapsedNs());
        }
    }
}
