package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import org.exsockets.api.Event;
import org.exsockets.api.ExsSocket;
import org.exsockets.bench.e2e.endpoint.ApiLink.Connection;

/**
 * One message there and back through the ES-API, with the receive of the answer outstanding before the message goes.
 */
final class ApiRoundTrip {
    private ApiRoundTrip() {}

    /** What both sides do: send one slot's message while the other slot waits for the next. */
    private abstract static class End implements Side {
        final CpuClock cpu = new CpuClock();
        final int sizeBytes;
        final ApiLink link;
        Connection connection;

        End(Fields spec) throws IOException {
            sizeBytes = spec.integer("size");
            link = new ApiLink(spec, sizeBytes, 2);
        }

        void receive(int slot) throws IOException {
            connection.socket.receive(
                    connection.memory, connection.offset(slot), sizeBytes, ExsSocket.MSG_WAITALL, link.queue, null);
        }

        void send(int slot) throws IOException {
            connection.socket.send(connection.memory, connection.offset(slot), sizeBytes, 0, link.queue, null);
        }

        /** Takes this many events of each type. */
        void await(int receives, int sends) throws IOException {
            int receivesLeft = receives;
            int sendsLeft = sends;
            while (receivesLeft > 0 || sendsLeft > 0) {
                int count = link.take();
                for (int i = 0; i < count; i++) {
                    if (link.events[i].type() == Event.Type.SEND) {
                        sendsLeft--;
                    } else {
                        receivesLeft--;
                    }
                }
            }
        }

        byte flags(int slot) {
            return connection.bytes.get(connection.offset(slot));
        }

        @Override
        public void close() throws IOException {
            link.close();
        }
    }

    static final class Server extends End implements Side.Server {
        private final int port;
        private int waiting;

        Server(Fields spec) throws IOException {
            super(spec);
            port = link.listen();
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public void open() throws IOException {
            link.accept();
            connection = link.connections[0];
            receive(waiting);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            cpu.start();
            boolean last;
            int unsent = 0;
            do {
                await(1, unsent);
                int arrived = waiting;
                last = Flags.isLast(flags(arrived));
                waiting = 1 - arrived;
                receive(waiting);
                send(arrived);
                unsent = 1;
            } while (!last);
            await(0, unsent);
            return new Fields("figures").with("cpuNs", cpu.elapsedNs());
        }
    }

    static final class Client extends End {
        private final Latencies latencies = new Latencies();
        private final int port;
        private long sequence;

        Client(Fields spec) throws IOException {
            super(spec);
            port = spec.integer("port");
        }

        @Override
        public void open() throws IOException {
            link.connect(port);
            connection = link.connections[0];
        }

        @Override
        public Fields round(double seconds) throws IOException {
            latencies.reset();
            cpu.start();
            long startNs = System.nanoTime();
            long lengthNs = (long) (seconds * 1e9);
            long beforeNs = startNs;
            long operations = 0;
            boolean last = false;
            while (!last) {
                last = beforeNs - startNs >= lengthNs;
                receive(1);
                connection.bytes.put(0, Flags.of(sequence, last));
                send(0);
                await(1, 1);
                Flags.check(flags(1), sequence++);
                long afterNs = System.nanoTime();
                latencies.record(afterNs - beforeNs);
                beforeNs = afterNs;
                operations++;
            }
            return latencies.into(new Fields("figures")
                    .with("operations", operations)
                    .with("elapsedNs", beforeNs - startNs)
                    .with("cpuNs", cpu.elapsedNs()));
        }
    }
}
