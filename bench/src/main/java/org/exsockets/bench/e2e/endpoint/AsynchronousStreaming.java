package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/** As {@link Streaming}, each read and write started by the handler of the last one. */
final class AsynchronousStreaming {
    private static final int CLOCK_INTERVAL_BYTES = 64 * 1024;

    private AsynchronousStreaming() {}

    static final class Server extends AsynchronousSide implements Side.Server {
        private final AsynchronousWire.Step ended = () -> wire.end();
        private AsynchronousWire.Reading reading;
        private long sequence;
        private long receivedBytes;
        private long chunkAtBytes;
        private long reads;
        private boolean last;

        Server(Fields spec) throws IOException {
            super(spec, true);
        }

        @Override
        public void open() throws IOException {
            super.open();
            reading = wire.new Reading() {
                @Override
                void arrived(int countBytes) {
                    take(countBytes);
                }
            };
        }

        @Override
        public Fields round(double seconds) throws IOException {
            startRound();
            receivedBytes = 0;
            chunkAtBytes = 0;
            reads = 0;
            last = false;
            wire.round(() -> wire.read(reading));
            return endRound(
                    new Fields("figures").with("receivedBytes", receivedBytes).with("reads", reads));
        }

        private void take(int countBytes) {
            if (chunkAtBytes < receivedBytes + countBytes) {
                byte flags = wire.buffer.get((int) (chunkAtBytes - receivedBytes));
                Flags.check(flags, sequence++);
                last = Flags.isLast(flags);
                chunkAtBytes += sizeBytes;
            }
            receivedBytes += countBytes;
            reads++;
            if (last && receivedBytes == chunkAtBytes) {
                wire.send(1, ended);
            } else {
                wire.read(reading);
            }
        }
    }

    static final class Client extends AsynchronousSide {
        private final AsynchronousWire.Step sent = this::next;
        private final AsynchronousWire.Step answered = () -> wire.end();
        private long sequence;
        private long chunks;
        private long deadlineNs;
        private boolean last;

        Client(Fields spec) throws IOException {
            super(spec, false);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            startRound();
            long startNs = System.nanoTime();
            deadlineNs = startNs + (long) (seconds * 1e9);
            chunks = 0;
            last = false;
            wire.round(sent);
            long elapsedNs = System.nanoTime() - startNs;
            return endRound(new Fields("figures")
                    .with("operations", chunks)
                    .with("bytes", chunks * sizeBytes)
                    .with("elapsedNs", elapsedNs));
        }

        private void next() {
            if (last) {
                wire.receive(1, answered);
                return;
            }
            int chunksPerClock = Math.max(1, CLOCK_INTERVAL_BYTES / sizeBytes);
            last = chunks % chunksPerClock == 0 && System.nanoTime() >= deadlineNs;
            wire.buffer.put(0, Flags.of(sequence++, last));
            chunks++;
            wire.send(sizeBytes, sent);
        }
    }
}
