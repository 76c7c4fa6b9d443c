package org.exsockets.bench.e2e.endpoint;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Iterator;

/**
 * A non-blocking channel with a Selector of its own. Every read is preceded by a select, as in an event loop; a write
 * is tried first and selected for only when it was short.
 */
class SelectorWire extends BufferWire {
    private final SocketChannel channel;
    final Selector selector;
    final SelectionKey key;

    SelectorWire(SocketChannel channel, int sizeBytes) throws IOException {
        super(ByteBuffer.allocateDirect(sizeBytes));
        this.channel = channel;
        channel.configureBlocking(false);
        this.selector = Selector.open();
        this.key = channel.register(selector, SelectionKey.OP_READ);
    }

    @Override
    public void send(int lengthBytes) throws IOException {
        buffer.position(0).limit(lengthBytes);
        write(buffer);
        if (buffer.hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
            do {
                awaitReady();
                write(buffer);
            } while (buffer.hasRemaining());
            key.interestOps(SelectionKey.OP_READ);
        }
        buffer.clear();
    }

    @Override
    public void receive(int lengthBytes) throws IOException {
        buffer.position(0).limit(lengthBytes);
        while (buffer.hasRemaining()) {
            awaitReady();
            if (read(buffer) < 0) {
                throw new EOFException("end of stream inside a message");
            }
        }
        buffer.clear();
    }

    @Override
    public int read() throws IOException {
        buffer.clear();
        int countBytes;
        do {
            awaitReady();
            countBytes = read(buffer);
        } while (countBytes == 0);
        return countBytes;
    }

    void awaitReady() throws IOException {
        boolean ready = false;
        while (!ready) {
            selector.select();
            Iterator<SelectionKey> selected = selector.selectedKeys().iterator();
            while (selected.hasNext()) {
                ready |= selected.next() == key;
                selected.remove();
            }
        }
    }

    int write(ByteBuffer source) throws IOException {
        return channel.write(source);
    }

    int read(ByteBuffer target) throws IOException {
        return channel.read(target);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }
}
