package org.exsockets.bench.demo.program;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A Netty client on the NIO transport against {@link NettyServer}: {@code echo-N} sends small messages back and forth
 * on N connections of one event loop, {@code stream} sends {@code operations} MiB through the echo. Argument: the
 * server's port.
 */
public final class NettyClient implements ClientOrders.Steps {
    private static final int CHUNKS_PER_MIB = (1 << 20) / Payload.CHUNK_BYTES;

    private final EventLoopGroup group = new NioEventLoopGroup(1);
    private final int port;

    private NettyClient(int port) {
        this.port = port;
    }

    /** Follows orders from standard input. */
    public static void main(String[] arguments) {
        ClientOrders.follow(new NettyClient(Integer.parseInt(arguments[0])));
    }

    @Override
    public StepResult run(String step, int operations, int round) throws Exception {
        return step.equals("stream")
                ? stream(operations)
                : echo(operations, Integer.parseInt(step.substring("echo-".length())));
    }

    private StepResult echo(int operations, int connections) throws Exception {
        Latencies latencies = new Latencies();
        int messagesEach = operations / connections;
        List<CompletableFuture<Long>> checksums = new ArrayList<>();
        List<Channel> channels = new ArrayList<>();
        for (int connection = 0; connection < connections; connection++) {
            CompletableFuture<Long> checksum = new CompletableFuture<>();
            checksums.add(checksum);
            channels.add(connect(new EchoExchange(connection, messagesEach, latencies, checksum)));
        }
        long checksum = 0;
        for (CompletableFuture<Long> each : checksums) {
            checksum += each.get();
        }
        int done = messagesEach * connections;
        long bytes = (long) done * EchoExchange.MESSAGE_BYTES;
        StepResult result = latencies.result(done, bytes, bytes, checksum);
        for (Channel channel : channels) {
            channel.close().sync();
        }
        return result;
    }

    private StepResult stream(int mebibytes) throws Exception {
        long chunks = (long) mebibytes * CHUNKS_PER_MIB;
        CompletableFuture<Long> received = new CompletableFuture<>();
        Latencies latencies = new Latencies();
        Channel channel = connect(new EchoStream(chunks, received));
        long checksum = received.get();
        long bytes = chunks * Payload.CHUNK_BYTES;
        StepResult result = latencies.result(mebibytes, bytes, bytes, checksum);
        channel.close().sync();
        long expected = Payload.checksum(chunks);
        if (checksum != expected) {
            throw new IOException(
                    "stream: crc32c=" + Long.toHexString(checksum) + ", expected=" + Long.toHexString(expected));
        }
        return result;
    }

    private Channel connect(ChannelHandler handler) throws InterruptedException {
        return new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connecting) {
                        connecting.pipeline().addLast(handler);
                    }
                })
                .connect(ServerHost.NAME, port)
                .sync()
                .channel();
    }
}
