package org.exsockets.bench.e2e.endpoint;

import java.io.EOFException;
import java.io.IOException;

/**
 * Chunks one way, client to server, as fast as they go; one byte back when the server has the last. The server reads
 * into a buffer of a chunk's size, takes what each read gives, and checks the first byte of every chunk.
 */
final class Streaming {
    private static final int CLOCK_INTERVAL_BYTES = 64 * 1024;

    private Streaming() {}

    static final class Server extends SingleWire implements Side.Server {
        private final Slices slices;
        private long sequence;

        Server(Fields spec) throws IOException {
            super(spec, true);
            slices = spec.has("sliceNs") ? new Slices(spec.integer("sliceNs")) : null;
        }

        @Override
        public Fields round(double seconds) throws IOException {
            startRound();
            if (slices != null) {
                slices.reset();
            }
            long receivedBytes = 0;
            long chunkAtBytes = 0;
            long reads = 0;
            boolean last = false;
            while (!last || receivedBytes < chunkAtBytes) {
                int countBytes = wire.read();
                if (countBytes < 0) {
                    throw new EOFException("end of stream inside a round");
                }
                if (chunkAtBytes < receivedBytes + countBytes) {
                    byte flags = wire.at((int) (chunkAtBytes - receivedBytes));
                    Flags.check(flags, sequence++);
                    last = Flags.isLast(flags);
                    chunkAtBytes += sizeBytes;
                }
                receivedBytes += countBytes;
                if (slices != null) {
                    slices.record(countBytes);
                }
                reads++;
            }
            wire.send(1);
            Fields figures =
                    new Fields("figures").with("receivedBytes", receivedBytes).with("reads", reads);
            return endRound(slices == null ? figures : slices.into(figures));
        }
    }

    static final class Client extends SingleWire {
        private long sequence;

        Client(Fields spec) throws IOException {
            super(spec, false);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            int chunksPerClock = Math.max(1, CLOCK_INTERVAL_BYTES / sizeBytes);
            startRound();
            long startNs = System.nanoTime();
            long deadlineNs = startNs + (long) (seconds * 1e9);
            long chunks = 0;
            boolean last = false;
            while (!last) {
                last = chunks % chunksPerClock == 0 && System.nanoTime() >= deadlineNs;
                wire.put(0, Flags.of(sequence++, last));
                wire.send(sizeBytes);
                chunks++;
            }
            wire.receive(1);
            long elapsedNs = System.nanoTime() - startNs;
            return endRound(new Fields("figures")
                    .with("operations", chunks)
                    .with("bytes", chunks * sizeBytes)
                    .with("elapsedNs", elapsedNs));
        }
    }
}
