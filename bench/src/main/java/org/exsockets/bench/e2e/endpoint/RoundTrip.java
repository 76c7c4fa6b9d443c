package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/** One message there and back, over and over. The client checks the first and the last byte of every answer. */
final class RoundTrip {
    private RoundTrip() {}

    static final class Server extends SingleWire implements Side.Server {
        Server(Fields spec) throws IOException {
            super(spec, true);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            startRound();
            boolean last;
            do {
                wire.receive(sizeBytes);
                last = Flags.isLast(wire.at(0));
                wire.send(sizeBytes);
            } while (!last);
            return endRound(new Fields("figures"));
        }
    }

    static final class Client extends SingleWire {
        private final Latencies latencies = new Latencies();
        private long sequence;

        Client(Fields spec) throws IOException {
            super(spec, false);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            latencies.reset();
            startRound();
            long startNs = System.nanoTime();
            long deadlineNs = startNs + (long) (seconds * 1e9);
            long beforeNs = startNs;
            long operations = 0;
            boolean last = false;
            while (!last) {
                last = beforeNs >= deadlineNs;
                exchange(Flags.of(sequence, last));
                long afterNs = System.nanoTime();
                latencies.record(afterNs - beforeNs);
                beforeNs = afterNs;
                operations++;
            }
            return latencies.into(endRound(
                    new Fields("figures").with("operations", operations).with("elapsedNs", beforeNs - startNs)));
        }

        private void exchange(byte flags) throws IOException {
            wire.put(sizeBytes - 1, flags);
            wire.put(0, flags);
            wire.send(sizeBytes);
            wire.put(sizeBytes - 1, (byte) ~flags);
            wire.put(0, (byte) ~flags);
            wire.receive(sizeBytes);
            Flags.check(wire.at(0), sequence);
            Flags.check(wire.at(sizeBytes - 1), sequence);
            sequence++;
        }
    }
}
