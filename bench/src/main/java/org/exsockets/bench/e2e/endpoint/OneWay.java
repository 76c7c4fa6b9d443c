package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/**
 * Small messages one way, server to client, at a steady pace that the client keeps up with: the server never reads. The
 * time of a message runs from when it was due at the server to when the client has it; both read the same clock.
 */
final class OneWay {
    /** Where the time stands at which the message was due: a long after the byte of flags, the lowest byte first. */
    private static final int DUE_OFFSET = 1;

    private OneWay() {}

    static final class Server extends SingleWire implements Side.Server {
        private final long paceNs;
        private long sequence;

        Server(Fields spec) throws IOException {
            super(spec, true);
            paceNs = spec.integer("paceNs");
        }

        @Override
        public Fields round(double seconds) throws IOException {
            startRound();
            long dueNs = System.nanoTime();
            long endNs = dueNs + (long) (seconds * 1e9);
            boolean last = false;
            while (!last) {
                while (System.nanoTime() - dueNs < 0) {
                    Thread.onSpinWait();
                }
                last = dueNs - endNs >= 0;
                send(dueNs, Flags.of(sequence++, last));
                dueNs += paceNs;
            }
            return endRound(new Fields("figures"));
        }

        private void send(long dueNs, byte flags) throws IOException {
            wire.put(0, flags);
            for (int i = 0; i < Long.BYTES; i++) {
                wire.put(DUE_OFFSET + i, (byte) (dueNs >>> Byte.SIZE * i));
            }
            wire.put(sizeBytes - 1, flags);
            wire.send(sizeBytes);
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
            long operations = 0;
            boolean last = false;
            while (!last) {
                wire.receive(sizeBytes);
                latencies.record(System.nanoTime() - dueNs());
                Flags.check(wire.at(0), sequence);
                Flags.check(wire.at(sizeBytes - 1), sequence++);
                last = Flags.isLast(wire.at(0));
                operations++;
            }
            long elapsedNs = System.nanoTime() - startNs;
            return latencies.into(endRound(
                    new Fields("figures").with("operations", operations).with("elapsedNs", elapsedNs)));
        }

        private long dueNs() {
            long dueNs = 0;
            for (int i = 0; i < Long.BYTES; i++) {
                dueNs |= (wire.at(DUE_OFFSET + i) & 0xffL) << Byte.SIZE * i;
            }
            return dueNs;
        }
    }
}
