package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/** As {@link RoundTrip}, each message sent by the handler that got the last one. */
final class AsynchronousRoundTrip {
    private AsynchronousRoundTrip() {}

    static final class Server extends AsynchronousSide implements Side.Server {
        private final AsynchronousWire.Step received = this::answer;
        private final AsynchronousWire.Step sent = this::next;
        private boolean last;

        Server(Fields spec) throws IOException {
            super(spec, true);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            startRound();
            last = false;
            wire.round(sent);
            return endRound(new Fields("figures"));
        }

        private void answer() {
            last = Flags.isLast(wire.buffer.get(0));
            wire.send(sizeBytes, sent);
        }

        private void next() {
            if (last) {
                wire.end();
            } else {
                wire.receive(sizeBytes, received);
            }
        }
    }

    static final class Client extends AsynchronousSide {
        private final Latencies latencies = new Latencies();
        private final AsynchronousWire.Step sent = this::await;
        private final AsynchronousWire.Step received = this::check;
        private long sequence;
        private long operations;
        private long beforeNs;
        private long endNs;
        private boolean last;

        Client(Fields spec) throws IOException {
            super(spec, false);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            latencies.reset();
            operations = 0;
            startRound();
            long startNs = System.nanoTime();
            beforeNs = startNs;
            endNs = startNs + (long) (seconds * 1e9);
            wire.round(this::ask);
            long elapsedNs = System.nanoTime() - startNs;
            return latencies.into(endRound(
                    new Fields("figures").with("operations", operations).with("elapsedNs", elapsedNs)));
        }

        private void ask() {
            last = beforeNs - endNs >= 0;
            wire.buffer.put(sizeBytes - 1, Flags.of(sequence, last)).put(0, Flags.of(sequence, last));
            wire.send(sizeBytes, sent);
        }

        private void await() {
            byte wrong = (byte) ~Flags.of(sequence, last);
            wire.buffer.put(sizeBytes - 1, wrong).put(0, wrong);
            wire.receive(sizeBytes, received);
        }

        private void check() {
            Flags.check(wire.buffer.get(0), sequence);
            Flags.check(wire.buffer.get(sizeBytes - 1), sequence);
            sequence++;
            operations++;
            long afterNs = System.nanoTime();
            latencies.record(afterNs - beforeNs);
            beforeNs = afterNs;
            if (last) {
                wire.end();
            } else {
                ask();
            }
        }
    }
}
