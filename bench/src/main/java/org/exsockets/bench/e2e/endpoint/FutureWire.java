package org.exsockets.bench.e2e.endpoint;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;

/** An asynchronous channel whose thread waits for each future. */
final class FutureWire extends BufferWire {
    private final AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();

    FutureWire(int port, int sizeBytes) throws IOException {
        super(ByteBuffer.allocateDirect(sizeBytes));
        AsynchronousWire.await(channel.connect(new InetSocketAddress(Listening.host(), port)));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    @Override
    public void send(int lengthBytes) throws IOException {
        buffer.position(0).limit(lengthBytes);
        while (buffer.hasRemaining()) {
            AsynchronousWire.await(channel.write(buffer));
        }
        buffer.clear();
    }

    @Override
    public void receive(int lengthBytes) throws IOException {
        buffer.position(0).limit(lengthBytes);
        while (buffer.hasRemaining()) {
            if (AsynchronousWire.await(channel.read(buffer)) < 0) {
                throw new EOFException("end of stream inside a message");
            }
        }
        buffer.clear();
    }

    @Override
    public int read() throws IOException {
        return AsynchronousWire.await(channel.read(buffer.clear()));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
