package org.exsockets.bench.e2e.endpoint;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A blocking {@link SocketChannel} with a direct or a heap buffer. */
class ChannelWire implements Wire {
    private final SocketChannel channel;
    private final ByteBuffer buffer;

    ChannelWire(SocketChannel channel, ByteBuffer buffer) {
        this.channel = channel;
        this.buffer = buffer;
    }

    @Override
    public void put(int index, byte value) {
        buffer.put(index, value);
    }

    @Override
    public byte at(int index) {
        return buffer.get(index);
    }

    @Override
    public void send(int lengthBytes) throws IOException {
        buffer.position(0).limit(lengthBytes);
        while (buffer.hasRemaining()) {
            write(buffer);
        }
        buffer.clear();
    }

    @Override
    public void receive(int lengthBytes) throws IOException {
        buffer.position(0).limit(lengthBytes);
        while (buffer.hasRemaining()) {
            if (read(buffer) < 0) {
                throw new EOFException("end of stream inside a message");
            }
        }
        buffer.clear();
    }

    @Override
    public int read() throws IOException {
        buffer.clear();
        return read(buffer);
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
    }
}
