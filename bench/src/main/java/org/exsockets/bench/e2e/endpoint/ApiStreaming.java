package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import org.exsockets.api.Event;
import org.exsockets.api.ExsMemory;
import org.exsockets.api.ExsSocket;
import org.exsockets.bench.e2e.endpoint.ApiLink.Connection;
import org.exsockets.bench.e2e.endpoint.ApiLink.Slot;

/**
 * Messages one way through the ES-API, with a number of sends and of receives outstanding on each connection; a byte
 * back on each when the server has its last message. Each receive takes one whole message (MSG_WAITALL).
 */
final class ApiStreaming {
    /** The slot after those of messages: for the byte back. */
    private static final int ANSWER = 1;

    private ApiStreaming() {}

    static final class Server implements Side.Server {
        private final CpuClock cpu = new CpuClock();
        private final int sizeBytes;
        private final int outstanding;
        private final ApiLink link;
        private final int port;
        private final Slices slices;

        Server(Fields spec) throws IOException {
            sizeBytes = spec.integer("size");
            outstanding = spec.integer("receives");
            link = new ApiLink(spec, Math.max(sizeBytes, ExsMemory.PAGE_BYTES), outstanding + ANSWER);
            port = link.listen();
            slices = spec.has("sliceNs") ? new Slices(spec.integer("sliceNs")) : null;
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public void open() throws IOException {
            link.accept();
            for (Connection connection : link.connections) {
                for (int slot = 0; slot < outstanding; slot++) {
                    receive(new Slot(connection, slot));
                }
            }
        }

        private void receive(Slot slot) throws IOException {
            Connection connection = slot.connection();
            connection.socket.receive(
                    connection.memory,
                    connection.offset(slot.number()),
                    sizeBytes,
                    ExsSocket.MSG_WAITALL,
                    link.queue,
                    slot);
        }

        @Override
        public Fields round(double seconds) throws IOException {
            cpu.start();
            if (slices != null) {
                slices.reset();
            }
            long receivedBytes = 0;
            int answered = 0;
            while (answered < link.connections.length) {
                int count = link.take();
                for (int i = 0; i < count; i++) {
                    Event event = link.events[i];
                    if (event.type() == Event.Type.SEND) {
                        answered++;
                    } else {
                        receivedBytes += event.length();
                        if (slices != null) {
                            slices.record(event.length());
                        }
                        onMessage((Slot) event.context());
                    }
                }
            }
            Fields figures =
                    new Fields("figures").with("receivedBytes", receivedBytes).with("cpuNs", cpu.elapsedNs());
            return slices == null ? figures : slices.into(figures);
        }

        private void onMessage(Slot slot) throws IOException {
            Connection connection = slot.connection();
            byte flags = connection.bytes.get(connection.offset(slot.number()));
            Flags.check(flags, connection.sequence++);
            receive(slot);
            if (Flags.isLast(flags)) {
                connection.socket.send(connection.memory, connection.offset(outstanding), 1, 0, link.queue, null);
            }
        }

        @Override
        public void close() throws IOException {
            link.close();
        }
    }

    static final class Client implements Side {
        private final CpuClock cpu = new CpuClock();
        private final int sizeBytes;
        private final int outstanding;
        private final int port;
        private final ApiLink link;
        private Slot[][] slots;
        private long sent;

        Client(Fields spec) throws IOException {
            sizeBytes = spec.integer("size");
            outstanding = spec.integer("sends");
            port = spec.integer("port");
            link = new ApiLink(spec, Math.max(sizeBytes, ExsMemory.PAGE_BYTES), outstanding + ANSWER);
        }

        @Override
        public void open() throws IOException {
            link.connect(port);
            slots = new Slot[link.connections.length][outstanding];
            for (int c = 0; c < slots.length; c++) {
                for (int slot = 0; slot < outstanding; slot++) {
                    slots[c][slot] = new Slot(link.connections[c], slot);
                }
            }
        }

        @Override
        public Fields round(double seconds) throws IOException {
            cpu.start();
            long startNs = System.nanoTime();
            long deadlineNs = startNs + (long) (seconds * 1e9);
            sent = 0;
            int underWay = 0;
            for (Connection connection : link.connections) {
                connection.last = false;
                connection.socket.receive(connection.memory, connection.offset(outstanding), 1, 0, link.queue, null);
                underWay++;
            }
            for (Slot[] ofConnection : slots) {
                for (Slot slot : ofConnection) {
                    send(slot, false);
                    underWay++;
                }
            }
            while (underWay > 0) {
                int count = link.take();
                boolean over = System.nanoTime() >= deadlineNs;
                for (int i = 0; i < count; i++) {
                    underWay--;
                    if (link.events[i].type() == Event.Type.SEND && sendNext((Slot) link.events[i].context(), over)) {
                        underWay++;
                    }
                }
            }
            return new Fields("figures")
                    .with("operations", sent)
                    .with("bytes", sent * sizeBytes)
                    .with("elapsedNs", System.nanoTime() - startNs)
                    .with("cpuNs", cpu.elapsedNs());
        }

        private boolean sendNext(Slot slot, boolean over) throws IOException {
            if (slot.connection().last) {
                return false;
            }
            send(slot, over);
            return true;
        }

        private void send(Slot slot, boolean last) throws IOException {
            Connection connection = slot.connection();
            connection.last = last;
            int offset = connection.offset(slot.number());
            connection.bytes.put(offset, Flags.of(connection.sequence++, last));
            connection.socket.send(connection.memory, offset, sizeBytes, 0, link.queue, slot);
            sent++;
        }

        @Override
        public void close() throws IOException {
            link.close();
        }
    }
}
