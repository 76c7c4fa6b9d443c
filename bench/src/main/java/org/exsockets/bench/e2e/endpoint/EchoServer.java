package org.exsockets.bench.e2e.endpoint;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import org.exsockets.bench.e2e.endpoint.Listening.ChannelListening;

/** Many connections on one Selector and one thread, every message echoed; or, idle, merely held. */
final class EchoServer implements Side.Server {
    private final int connections;
    private final int sizeBytes;
    private final boolean idle;

    /** Whether each connection ends the round for itself. */
    private final boolean paced;

    private final ChannelListening listening;
    private final Selector selector = Selector.open();
    private final CpuClock cpu = new CpuClock();

    EchoServer(Fields spec, boolean idle) throws IOException {
        this.idle = idle;
        paced = spec.text("kind").equals(Kind.PACED.name());
        connections = spec.integer("connections");
        sizeBytes = spec.integer("size");
        listening = new ChannelListening(ServerSocketChannel.open().bind(Listening.anyPort(), 4096));
    }

    @Override
    public int port() throws IOException {
        return listening.port();
    }

    @Override
    public void open() throws IOException {
        for (int i = 0; i < connections; i++) {
            SocketChannel channel = listening.channel().accept();
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, ByteBuffer.allocateDirect(sizeBytes));
        }
    }

    @Override
    public Fields round(double seconds) throws IOException {
        cpu.start();
        long echoed = 0;
        int going = paced ? connections : 1;
        while (going > 0) {
            selector.select();
            Iterator<SelectionKey> selected = selector.selectedKeys().iterator();
            while (selected.hasNext()) {
                SelectionKey key = selected.next();
                selected.remove();
                ByteBuffer message = (ByteBuffer) key.attachment();
                if (receive((SocketChannel) key.channel(), message)) {
                    going -= Flags.isLast(message.get(0)) ? 1 : 0;
                    message.flip();
                    send((SocketChannel) key.channel(), message);
                    echoed++;
                }
            }
        }
        if (idle) {
            IdlePhase.hold(selector, IdlePhase.SETTLING_SECONDS);
            cpu.start();
            IdlePhase.hold(selector, seconds);
        }
        return new Fields("figures").with("cpuNs", cpu.elapsedNs()).with("echoed", echoed);
    }

    /** {@return whether the message is complete now} */
    static boolean receive(SocketChannel channel, ByteBuffer message) throws IOException {
        if (channel.read(message) < 0) {
            throw new EOFException("end of stream inside a round");
        }
        return !message.hasRemaining();
    }

    /** Sends all that remains and clears the buffer; with one small message in flight there is always room. */
    static void send(SocketChannel channel, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            if (channel.write(message) == 0) {
                Thread.onSpinWait();
            }
        }
        message.clear();
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
        listening.close();
    }
}
