package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.api.ExsMemory;

/**
 * No conversation at all: one core copies between as many buffers as messages would be outstanding at both ends, and of
 * the same kind.
 */
final class Copying {
    private Copying() {}

    static final class Server implements Side.Server {
        Server(Fields spec) {
            // Its peer copies alone.
        }

        @Override
        public int port() {
            return 0;
        }

        @Override
        public void open() {
            // Nothing to open.
        }

        @Override
        public Fields round(double seconds) {
            return new Fields("figures").with("cpuNs", 0);
        }

        @Override
        public void close() {
            // Nothing to close.
        }
    }

    static final class Client implements Side {
        private final CpuClock cpu = new CpuClock();
        private final int sizeBytes;
        private final int count;
        private final ExsMemory source;
        private final ExsMemory target;

        Client(Fields spec) throws IOException {
            sizeBytes = spec.integer("size");
            count = spec.integer("sends");
            source = ExsMemory.allocate(count * sizeBytes);
            target = ExsMemory.allocate(count * sizeBytes);
        }

        @Override
        public void open() {
            // Nothing to connect.
        }

        @Override
        public Fields round(double seconds) throws IOException {
            ByteBuffer from = source.buffer();
            ByteBuffer to = target.buffer();
            cpu.start();
            long startNs = System.nanoTime();
            long deadlineNs = startNs + (long) (seconds * 1e9);
            long copies = 0;
            while (System.nanoTime() < deadlineNs) {
                int at = (int) (copies % count) * sizeBytes;
                to.put(at, from, at, sizeBytes);
                copies++;
            }
            return new Fields("figures")
                    .with("operations", copies)
                    .with("bytes", copies * sizeBytes)
                    .with("elapsedNs", System.nanoTime() - startNs)
                    .with("cpuNs", cpu.elapsedNs());
        }

        @Override
        public void close() {
            source.close();
            target.close();
        }
    }
}
