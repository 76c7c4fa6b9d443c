package org.exsockets.bench.e2e.endpoint;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A blocking {@link SocketChannel} with a direct or a heap buffer. */
class ChannelWire extends BufferWire {
    private final SocketChannel channel;

    ChannelWire(SocketChannel channel, ByteBuffer buffer) {
        super(buffer);
        this.channel = channel;
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
