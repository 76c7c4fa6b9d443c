package org.exsockets.nio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import org.exsockets.jdk.JdkChannels;

/** Opens channels and selectors on behalf of a provider. Thread-safe. */
public final class ExsChannels {
    private final SelectorProvider provider;

    public ExsChannels(SelectorProvider provider) {
        this.provider = provider;
    }

    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return family == null
                ? JdkChannels.provider().openDatagramChannel()
                : JdkChannels.provider().openDatagramChannel(family);
    }

    public Pipe openPipe() throws IOException {
        return JdkChannels.provider().openPipe();
    }

    public AbstractSelector openSelector() throws IOException {
        return new ExsSelector(provider);
    }

    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        ServerSocketChannel tcp = JdkChannels.openServerSocketChannel(family);
        return family == StandardProtocolFamily.UNIX
                ? tcp
                : new ExsServerSocketChannel(provider, tcp, family != StandardProtocolFamily.INET);
    }

    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        SocketChannel tcp = JdkChannels.openSocketChannel(family);
        return family == StandardProtocolFamily.UNIX ? tcp : new ExsSocketChannel(provider, tcp);
    }

    public Channel inheritedChannel() throws IOException {
        return JdkChannels.provider().inheritedChannel();
    }
}
