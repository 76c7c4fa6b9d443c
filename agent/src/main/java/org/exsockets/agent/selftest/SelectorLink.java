package org.exsockets.agent.selftest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A non-blocking socket channel, and a selector for each direction, which waits where the channel would not. */
final class SelectorLink extends Link {
    private final SocketChannel channel;
    private final Selector readable;
    private final Selector writable;

    /** @param channel connected; made non-blocking */
    SelectorLink(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        readable = Selector.open();
        channel.register(readable, SelectionKey.OP_READ);
        writable = Selector.open();
        channel.register(writable, SelectionKey.OP_WRITE);
    }

    static Link connect(InetSocketAddress server) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try (Selector connected = Selector.open()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(connected, SelectionKey.OP_CONNECT);
            if (!channel.connect(server)) {
                do {
                    await(connected);
                } while (!channel.finishConnect());
            }
            key.cancel();
            return new SelectorLink(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void await(Selector selector) throws IOException {
        selector.select();
        selector.selectedKeys().clear();
    }

    @Override
    void send(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                await(writable);
            }
        }
    }

    @Override
    int receive(ByteBuffer into) throws IOException {
        while (true) {
            int received = channel.read(into);
            if (received != 0) {
                return received;
            }
            await(readable);
        }
    }

    @Override
    void endOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        readable.close();
        writable.close();
    }
}
