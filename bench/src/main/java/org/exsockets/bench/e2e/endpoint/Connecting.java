package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/**
 * Connect, one byte each way, close, one after the other: for the time of the round or, where the row gives a {@code
 * count}, that many in one round, with the growth of both processes meanwhile. Ports that plain TCP leaves in TIME_WAIT
 * are used again on the loopback interface (tcp_tw_reuse is 2 by default, ip-sysctl).
 */
final class Connecting {
    /** The first round of a counted row is half as long: it compiles, and fills what is kept for later connections. */
    private static final int COUNT_TO_WARM_UP = 2;

    private Connecting() {}

    static final class Server implements Side.Server {
        private final Face face;
        private final WireOptions options;
        private final Listening listening;
        private final CpuClock cpu = new CpuClock();
        private final boolean counted;

        Server(Fields spec) throws IOException {
            counted = spec.has("count");
            face = Face.of(spec);
            options = WireOptions.of(spec);
            listening = face.listen();
        }

        @Override
        public int port() throws IOException {
            return listening.port();
        }

        @Override
        public void open() {
            // Connections are made within the rounds.
        }

        @Override
        public Fields round(double seconds) throws IOException {
            Holdings before = counted ? Holdings.now() : null;
            cpu.start();
            boolean last;
            do {
                try (Wire wire = listening.accept(face, options)) {
                    wire.receive(1);
                    last = Flags.isLast(wire.at(0));
                    wire.send(1);
                }
            } while (!last);
            Fields figures = new Fields("figures").with("cpuNs", cpu.elapsedNs());
            return counted ? before.growthInto(figures) : figures;
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    static final class Client implements Side {
        private final Face face;
        private final WireOptions options;
        private final int port;
        private final int count;
        private final CpuClock cpu = new CpuClock();
        private boolean warm;
        private final Latencies latencies = new Latencies();

        Client(Fields spec) {
            face = Face.of(spec);
            options = WireOptions.of(spec);
            port = spec.integer("port");
            count = spec.has("count") ? spec.integer("count") : 0;
        }

        @Override
        public void open() {
            // Connections are made within the rounds.
        }

        @Override
        public Fields round(double seconds) throws IOException {
            latencies.reset();
            Holdings before = count > 0 ? Holdings.now() : null;
            int most = count == 0 ? Integer.MAX_VALUE : warm ? count : count / COUNT_TO_WARM_UP;
            warm = true;
            cpu.start();
            long startNs = System.nanoTime();
            long deadlineNs = startNs + (count > 0 ? Long.MAX_VALUE / 2 : (long) (seconds * 1e9));
            long beforeNs = startNs;
            long operations = 0;
            boolean last = false;
            while (!last) {
                last = beforeNs >= deadlineNs || operations == most - 1;
                try (Wire wire = face.connect(port, options)) {
                    byte flags = Flags.of(operations, last);
                    wire.put(0, flags);
                    wire.send(1);
                    wire.put(0, (byte) ~flags);
                    wire.receive(1);
                    Flags.check(wire.at(0), operations);
                }
                long afterNs = System.nanoTime();
                latencies.record(afterNs - beforeNs);
                beforeNs = afterNs;
                operations++;
            }
            Fields figures = latencies.into(new Fields("figures")
                    .with("operations", operations)
                    .with("elapsedNs", beforeNs - startNs)
                    .with("cpuNs", cpu.elapsedNs()));
            return count > 0 ? before.growthInto(figures) : figures;
        }

        @Override
        public void close() {
            // Every connection was closed within its round.
        }
    }
}
