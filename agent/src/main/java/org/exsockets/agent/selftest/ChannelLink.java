package org.exsockets.agent.selftest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A blocking socket channel. */
final class ChannelLink extends Link {
    final SocketChannel channel;

    ChannelLink(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    static Link connect(InetSocketAddress server) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.connect(server);
            return new ChannelLink(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    void send(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    int receive(ByteBuffer into) throws IOException {
        return channel.read(into);
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
