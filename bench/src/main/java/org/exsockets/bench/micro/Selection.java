package org.exsockets.bench.micro;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.exsockets.install.Installation;
import org.exsockets.nio.NioProvider;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** {@code selectNow} over connections with bytes to read, all of them in the hot set. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Selection {
    @Param({"1", "16", "128"})
    private int hotKeys;

    private final List<SocketChannel> channels = new ArrayList<>();
    private final Consumer<SelectionKey> onKey = this::onKey;
    private Selector selector;
    private int ready;

    @Setup
    public void connect() throws IOException {
        Installation.prepare(Map.of());
        NioProvider provider = new NioProvider();
        selector = provider.openSelector();
        try (ServerSocketChannel server = provider.openServerSocketChannel()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < hotKeys; i++) {
                SocketChannel client = provider.openSocketChannel();
                client.connect(server.getLocalAddress());
                SocketChannel accepted = server.accept();
                channels.addAll(List.of(client, accepted));
                client.write(ByteBuffer.allocate(1));
                accepted.configureBlocking(false);
                accepted.register(selector, SelectionKey.OP_READ);
            }
        }
    }

    @Benchmark
    public int consumer() throws IOException {
        ready = 0;
        selector.selectNow(onKey);
        return ready();
    }

    @Benchmark
    public int selectedKeys() throws IOException {
        selector.selectNow();
        ready = selector.selectedKeys().size();
        selector.selectedKeys().clear();
        return ready();
    }

    private void onKey(SelectionKey key) {
        ready++;
    }

    private int ready() {
        if (ready != hotKeys) {
            throw new IllegalStateException("selection: ready=" + ready + ", expected=" + hotKeys);
        }
        return ready;
    }

    @TearDown
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        channels.clear();
        selector.close();
    }
}
