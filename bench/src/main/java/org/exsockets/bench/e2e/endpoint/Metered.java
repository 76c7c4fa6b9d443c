package org.exsockets.bench.e2e.endpoint;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.function.Consumer;

/** The wires again, with the bytes allocated within each read, write and select counted. */
final class Metered {
    private final AllocationMeter write = new AllocationMeter("writeAllocatedBytes");
    private final AllocationMeter read = new AllocationMeter("readAllocatedBytes");
    private final AllocationMeter select = new AllocationMeter("selectAllocatedBytes");
    private final AllocationMeter selectConsumer = new AllocationMeter("selectConsumerAllocatedBytes");

    void reset() {
        write.reset();
        read.reset();
        select.reset();
        selectConsumer.reset();
    }

    Fields into(Fields figures) {
        write.into(figures);
        read.into(figures);
        select.into(figures);
        selectConsumer.into(figures);
        return figures;
    }

    Wire channel(SocketChannel channel, ByteBuffer buffer) {
        return new ChannelWire(channel, buffer) {
            @Override
            int write(ByteBuffer source) throws IOException {
                write.before();
                int countBytes = super.write(source);
                write.after();
                return countBytes;
            }

            @Override
            int read(ByteBuffer target) throws IOException {
                read.before();
                int countBytes = super.read(target);
                read.after();
                return countBytes;
            }
        };
    }

    Wire socket(Socket socket, int sizeBytes) throws IOException {
        return new SocketWire(socket, sizeBytes) {
            @Override
            public void send(int lengthBytes) throws IOException {
                write.before();
                super.send(lengthBytes);
                write.after();
            }

            @Override
            public void receive(int lengthBytes) throws IOException {
                read.before();
                super.receive(lengthBytes);
                read.after();
            }
        };
    }

    Wire selector(SocketChannel channel, int sizeBytes) throws IOException {
        return new MeteredSelectorWire(channel, sizeBytes);
    }

    /** Selects by selected-key set and by consumer in turn. */
    private final class MeteredSelectorWire extends SelectorWire {
        private final Consumer<SelectionKey> onReady = this::onReady;
        private boolean ready;
        private boolean byConsumer;

        MeteredSelectorWire(SocketChannel channel, int sizeBytes) throws IOException {
            super(channel, sizeBytes);
        }

        @Override
        void awaitReady() throws IOException {
            ready = false;
            while (!ready) {
                byConsumer = !byConsumer;
                if (byConsumer) {
                    selectConsumer.before();
                    selector.select(onReady);
                    selectConsumer.after();
                } else {
                    select.before();
                    selectByKeys();
                    select.after();
                }
            }
        }

        private void selectByKeys() throws IOException {
            selector.select();
            Iterator<SelectionKey> selected = selector.selectedKeys().iterator();
            while (selected.hasNext()) {
                onReady(selected.next());
                selected.remove();
            }
        }

        private void onReady(SelectionKey selected) {
            ready |= selected == key;
        }

        @Override
        int write(ByteBuffer source) throws IOException {
            write.before();
            int countBytes = super.write(source);
            write.after();
            return countBytes;
        }

        @Override
        int read(ByteBuffer target) throws IOException {
            read.before();
            int countBytes = super.read(target);
            read.after();
            return countBytes;
        }
    }
}
