package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many connections, each with a blocking thread of its own at either side that lives as long as the row, or with
 * virtual threads for each round. The client's threads may have a {@link Pace}.
 */
final class ManyThreads {
    private ManyThreads() {}

    static class Server extends Threads implements Side.Server {
        private final Face face;
        private final Listening listening;

        Server(Fields spec) throws IOException {
            this(spec, Face.of(spec));
        }

        Server(Fields spec, Face face) throws IOException {
            this(spec, face, spec.integer("threads"));
        }

        Server(Fields spec, Face face, int count) throws IOException {
            super(spec, count);
            this.face = face;
            listening = face.listen();
        }

        @Override
        public int port() throws IOException {
            return listening.port();
        }

        @Override
        Wire wire() throws IOException {
            return listening.accept(face, options);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            cpu.start();
            onAll(index -> {
                Exchanges.echo(wires.get(index), options.sizeBytes());
                return 0L;
            });
            return new Fields("figures").with("cpuNs", cpu.elapsedNs());
        }

        @Override
        public void close() throws IOException {
            super.close();
            listening.close();
        }
    }

    static final class Client extends Threads {
        private final Dialling dialling;
        private final List<Latencies> latencies = new ArrayList<>();
        private final List<Exchanges> exchanges = new ArrayList<>();
        private final List<Pace> paces = new ArrayList<>();
        private final Fields spec;

        Client(Fields spec) {
            this(spec, options -> Face.of(spec).connect(spec.integer("port"), options));
        }

        Client(Fields spec, Dialling dialling) {
            super(spec, spec.integer("threads"));
            this.spec = spec;
            this.dialling = dialling;
        }

        @Override
        Wire wire() throws IOException {
            Wire wire = dialling.dial(options);
            latencies.add(new Latencies());
            paces.add(Pace.of(spec));
            exchanges.add(new Exchanges(wire, options.sizeBytes(), latencies.get(wires.size())));
            return wire;
        }

        @Override
        public Fields round(double seconds) throws IOException {
            latencies.forEach(Latencies::reset);
            cpu.start();
            long startNs = System.nanoTime();
            long lengthNs = (long) (seconds * 1e9);
            long operations = onAll(index -> {
                Pace pace = paces.get(index);
                long firstNs = pace.start(System.nanoTime(), index, paces.size());
                return exchanges.get(index).run(startNs, lengthNs, pace, firstNs);
            });
            long elapsedNs = System.nanoTime() - startNs;
            Latencies all = new Latencies();
            latencies.forEach(all::add);
            return all.into(new Fields("figures")
                    .with("operations", operations)
                    .with("elapsedNs", elapsedNs)
                    .with("cpuNs", cpu.elapsedNs()));
        }
    }

    /** Either side. The threads stay from round to round, so that the clock of CPU time sees them. */
    abstract static class Threads implements Side {
        final WireOptions options;
        final CpuClock cpu = new CpuClock();
        final List<Wire> wires = new ArrayList<>();
        private final int count;
        private final ExecutorService threads;

        Threads(Fields spec, int count) {
            options = WireOptions.of(spec);
            this.count = count;
            threads = spec.has("virtual") ? virtualThreads() : Executors.newFixedThreadPool(count);
        }

        private static ExecutorService virtualThreads() {
            try {
                return (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
            } catch (ReflectiveOperationException older) {
                throw new IllegalStateException("this JDK has no virtual threads", older);
            }
        }

        abstract Wire wire() throws IOException;

        @Override
        public void open() throws IOException {
            for (int i = 0; i < count; i++) {
                wires.add(wire());
            }
        }

        /** Runs the work of all connections at the same time. {@return the sum of what they gave} */
        final long onAll(Work work) throws IOException {
            List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int index = i;
                Callable<Long> one = () -> work.on(index);
                running.add(threads.submit(one));
            }
            long sum = 0;
            for (Future<Long> one : running) {
                try {
                    sum += one.get();
                } catch (ExecutionException | InterruptedException failure) {
                    throw new IOException("one of " + count + " threads failed", failure);
                }
            }
            return sum;
        }

        @Override
        public void close() throws IOException {
            for (Wire wire : wires) {
                wire.close();
            }
            threads.shutdown();
        }
    }

    /** How a client gets its connections. */
    @FunctionalInterface
    interface Dialling {
        Wire dial(WireOptions options) throws IOException;
    }

    /** What a thread does with the connection of that index. */
    interface Work {
        long on(int index) throws IOException;
    }
}
