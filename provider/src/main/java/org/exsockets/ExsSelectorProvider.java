package org.exsockets;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import org.exsockets.config.Face;
import org.exsockets.install.Installation;
import org.exsockets.nio.ExsChannels;

/**
 * The provider to name in {@code -Djava.nio.channels.spi.SelectorProvider} when the agent is not used. Its TCP channels
 * and selectors travel over EXS where the peer can; everything else is the JDK's.
 */
public final class ExsSelectorProvider extends SelectorProvider {
    private final ExsChannels channels;

    /**
     * Reads the settings; with settings that are wrong, or that switch EXS or this face of it off, or where the JVM lacks the
     * option that EXS needs, everything is the JDK's.
     */
    public ExsSelectorProvider() {
        this.channels = open(this);
    }

    /**
     * As the other constructor, for a provider that leads to this one.
     *
     * @param visible the provider the program knows, to which channels and selectors are to belong
     */
    public ExsSelectorProvider(SelectorProvider visible) {
        this.channels = open(visible);
    }

    private static ExsChannels open(SelectorProvider visible) {
        return new ExsChannels(visible, Installation.servesWithoutAgent(Face.NIO), Face.NIO);
    }

    /** As the JDK's providers: none is an error, no wish. */
    private static ProtocolFamily named(ProtocolFamily family) {
        return Objects.requireNonNull(family, "'family' is null");
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return channels.openDatagramChannel(null);
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return channels.openDatagramChannel(named(family));
    }

    @Override
    public Pipe openPipe() throws IOException {
        return channels.openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return channels.openSelector();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return channels.openServerSocketChannel(null);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return channels.openServerSocketChannel(named(family));
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return channels.openSocketChannel(null);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return channels.openSocketChannel(named(family));
    }

    @Override
    public Channel inheritedChannel() throws IOException {
        return channels.inheritedChannel();
    }
}
