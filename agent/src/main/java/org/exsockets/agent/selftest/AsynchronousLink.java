package org.exsockets.agent.selftest;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** An asynchronous socket channel of the default group, whose operations are waited for. */
final class AsynchronousLink extends Link {
    private final AsynchronousSocketChannel channel;

    AsynchronousLink(AsynchronousSocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    static Link connect(InetSocketAddress server) throws IOException {
        AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
        try {
            result(channel.connect(server));
            return new AsynchronousLink(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    static <T> T result(Future<T> operation) throws IOException {
        try {
            return operation.get();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause().getMessage()), e.getCause());
        } catch (InterruptedException e) {
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }

    @Override
    void send(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            result(channel.write(bytes));
        }
    }

    @Override
    int receive(ByteBuffer into) throws IOException {
        return result(channel.read(into));
    }

    @Override
    void endOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
