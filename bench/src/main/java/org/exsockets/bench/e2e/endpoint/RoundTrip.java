package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/** One message there and back, over and over, on one connection. */
final class RoundTrip {
    private RoundTrip() {}

    static final class Server extends SingleWire implements Side.Server {
        Server(Fields spec) throws IOException {
            super(spec, true);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            startRound();
            Exchanges.echo(wire, sizeBytes);
            return endRound(new Fields("figures"));
        }
    }

    static final class Client extends SingleWire {
        private final Latencies latencies = new Latencies();
        private Exchanges exchanges;

        Client(Fields spec) throws IOException {
            super(spec, false);
        }

        @Override
        public void open() throws IOException {
            super.open();
            exchanges = new Exchanges(wire, sizeBytes, latencies);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            latencies.reset();
            startRound();
            long startNs = System.nanoTime();
            long operations = exchanges.run(startNs, (long) (seconds * 1e9));
            long elapsedNs = System.nanoTime() - startNs;
            return latencies.into(endRound(
                    new Fields("figures").with("operations", operations).with("elapsedNs", elapsedNs)));
        }
    }
}
