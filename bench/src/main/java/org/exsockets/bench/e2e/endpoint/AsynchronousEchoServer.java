package org.exsockets.bench.e2e.endpoint;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Many connections in a group of one thread, every message echoed by handlers. */
final class AsynchronousEchoServer implements Side.Server {
    private final int connections;
    private final int sizeBytes;
    private final AsynchronousChannelGroup group = AsynchronousWire.newGroup();
    private final AsynchronousServerSocketChannel listener =
            AsynchronousServerSocketChannel.open(group).bind(Listening.anyPort(), 4096);
    private final List<Echo> echoes = new ArrayList<>();
    private final CpuClock cpu = new CpuClock();

    /** Counts the connections whose round goes on. */
    private volatile CountDownLatch going;

    private volatile Throwable failure;

    AsynchronousEchoServer(Fields spec) throws IOException {
        connections = spec.integer("threads");
        sizeBytes = spec.integer("size");
    }

    @Override
    public int port() throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    @Override
    public void open() throws IOException {
        for (int i = 0; i < connections; i++) {
            AsynchronousSocketChannel channel = AsynchronousWire.await(listener.accept());
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            echoes.add(new Echo(channel));
        }
    }

    @Override
    public Fields round(double seconds) throws IOException {
        going = new CountDownLatch(connections);
        cpu.start();
        echoes.forEach(Echo::receive);
        try {
            going.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        if (failure != null) {
            throw new IOException(failure);
        }
        return new Fields("figures").with("cpuNs", cpu.elapsedNs());
    }

    @Override
    public void close() throws IOException {
        for (Echo echo : echoes) {
            echo.channel.close();
        }
        listener.close();
        group.shutdown();
    }

    /** One connection. Its handlers run one after the other. */
    private final class Echo implements CompletionHandler<Integer, Boolean> {
        private final AsynchronousSocketChannel channel;
        private final ByteBuffer message = ByteBuffer.allocateDirect(sizeBytes);

        Echo(AsynchronousSocketChannel channel) {
            this.channel = channel;
        }

        void receive() {
            channel.read(message.clear(), false, this);
        }

        @Override
        public void completed(Integer countBytes, Boolean sending) {
            if (countBytes < 0) {
                failed(new EOFException("end of stream inside a round"), sending);
            } else if (message.hasRemaining()) {
                move(sending);
            } else if (!sending) {
                message.flip();
                move(true);
            } else if (Flags.isLast(message.get(0))) {
                going.countDown();
            } else {
                receive();
            }
        }

        private void move(boolean sending) {
            if (sending) {
                channel.write(message, true, this);
            } else {
                channel.read(message, false, this);
            }
        }

        @Override
        public void failed(Throwable cause, Boolean sending) {
            failure = cause;
            while (going.getCount() > 0) {
                going.countDown();
            }
        }
    }
}
