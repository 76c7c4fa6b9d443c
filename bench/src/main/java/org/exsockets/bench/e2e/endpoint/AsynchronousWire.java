package org.exsockets.bench.e2e.endpoint;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An asynchronous channel in a group of one thread. A round runs in handlers; the thread that started it waits for its
 * end.
 */
final class AsynchronousWire implements Closeable {
    /** What is done when a whole message has been moved. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    private final AsynchronousChannelGroup group;
    private final AsynchronousSocketChannel channel;
    final ByteBuffer buffer;
    private CountDownLatch done;
    private Throwable failure;

    private AsynchronousWire(AsynchronousChannelGroup group, AsynchronousSocketChannel channel, int sizeBytes) {
        this.group = group;
        this.channel = channel;
        this.buffer = ByteBuffer.allocateDirect(sizeBytes);
    }

    static AsynchronousChannelGroup newGroup() throws IOException {
        return AsynchronousChannelGroup.withFixedThreadPool(1, Executors.defaultThreadFactory());
    }

    static AsynchronousWire connect(int port, int sizeBytes) throws IOException {
        AsynchronousChannelGroup group = newGroup();
        AsynchronousSocketChannel channel = AsynchronousSocketChannel.open(group);
        await(channel.connect(new InetSocketAddress(Listening.host(), port)));
        return new AsynchronousWire(group, channel, sizeBytes);
    }

    static AsynchronousWire accept(
            AsynchronousServerSocketChannel listener, AsynchronousChannelGroup group, int sizeBytes)
            throws IOException {
        return new AsynchronousWire(group, await(listener.accept()), sizeBytes);
    }

    static <V> V await(Future<V> future) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Runs {@code first}, and returns when {@link #end} has been called. */
    void round(Step first) throws IOException {
        done = new CountDownLatch(1);
        failure = null;
        first.run();
        try {
            done.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        if (failure != null) {
            throw new IOException(failure);
        }
    }

    void end() {
        done.countDown();
    }

    private void fail(Throwable cause) {
        failure = cause;
        end();
    }

    /** Reads once into the start of the buffer. */
    void read(Reading reading) {
        buffer.clear();
        channel.read(buffer, null, reading);
    }

    /** Reads until the buffer's limit, then runs the attachment. */
    private final CompletionHandler<Integer, Step> filling = new Moving() {
        @Override
        void again(Step then) {
            channel.read(buffer, then, this);
        }
    };

    private final CompletionHandler<Integer, Step> emptying = new Moving() {
        @Override
        void again(Step then) {
            channel.write(buffer, then, this);
        }
    };

    void receive(int lengthBytes, Step then) {
        channel.read(buffer.position(0).limit(lengthBytes), then, filling);
    }

    void send(int lengthBytes, Step then) {
        channel.write(buffer.position(0).limit(lengthBytes), then, emptying);
    }

    private abstract class Moving implements CompletionHandler<Integer, Step> {
        abstract void again(Step then);

        @Override
        public void completed(Integer countBytes, Step then) {
            if (countBytes < 0) {
                fail(new EOFException("end of stream inside a message"));
            } else if (buffer.hasRemaining()) {
                again(then);
            } else {
                try {
                    then.run();
                } catch (IOException | RuntimeException e) {
                    fail(e);
                }
            }
        }

        @Override
        public void failed(Throwable cause, Step then) {
            fail(cause);
        }
    }

    /** What is done with the bytes of one read. */
    abstract class Reading implements CompletionHandler<Integer, Object> {
        abstract void arrived(int countBytes);

        @Override
        public void completed(Integer countBytes, Object nothing) {
            if (countBytes < 0) {
                fail(new EOFException("end of stream inside a round"));
            } else {
                try {
                    arrived(countBytes);
                } catch (RuntimeException e) {
                    fail(e);
                }
            }
        }

        @Override
        public void failed(Throwable cause, Object nothing) {
            fail(cause);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        group.shutdown();
    }
}
