package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;

/** {@link ApiStreaming} over blocking sockets of the JDK, a thread for each connection. */
final class PlainStreaming {
    private PlainStreaming() {}

    static final class Server extends ManyThreads.Server {
        Server(Fields spec) throws IOException {
            super(spec, Face.CHANNEL, spec.integer("connections"));
        }

        @Override
        public Fields round(double seconds) throws IOException {
            int sizeBytes = options.sizeBytes();
            cpu.start();
            long received = onAll(index -> {
                Wire wire = wires.get(index);
                boolean last = false;
                long bytes = 0;
                while (!last) {
                    wire.receive(sizeBytes);
                    bytes += sizeBytes;
                    last = Flags.isLast(wire.at(0));
                }
                wire.send(1);
                return bytes;
            });
            return new Fields("figures").with("receivedBytes", received).with("cpuNs", cpu.elapsedNs());
        }
    }

    static final class Client extends ManyThreads.Threads {
        private final int port;

        Client(Fields spec) {
            super(spec, spec.integer("connections"));
            port = spec.integer("port");
        }

        @Override
        Wire wire() throws IOException {
            return Face.CHANNEL.connect(port, options);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            int sizeBytes = options.sizeBytes();
            cpu.start();
            long startNs = System.nanoTime();
            long deadlineNs = startNs + (long) (seconds * 1e9);
            long sent = onAll(index -> {
                Wire wire = wires.get(index);
                boolean last = false;
                long messages = 0;
                while (!last) {
                    last = System.nanoTime() >= deadlineNs;
                    wire.put(0, Flags.of(messages++, last));
                    wire.send(sizeBytes);
                }
                wire.receive(1);
                return messages;
            });
            return new Fields("figures")
                    .with("operations", sent)
                    .with("bytes", sent * sizeBytes)
                    .with("elapsedNs", System.nanoTime() - startNs)
                    .with("cpuNs", cpu.elapsedNs());
        }
    }
}
