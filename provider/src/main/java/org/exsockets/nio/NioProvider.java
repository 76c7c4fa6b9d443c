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
import java.util.Objects;
import org.exsockets.config.Face;
import org.exsockets.jdk.Ipv6;
import org.exsockets.jdk.JdkChannels;

/**
 * Opens TCP channels that travel over EXS where the peer can, and selectors for them. Where EXS has no part (datagrams, pipes,
 * Unix-domain channels) programs get the JDK's own channels, which our selectors take, too. Thread-safe.
 */
public final class NioProvider extends SelectorProvider {
    private final SelectorProvider visible;
    private final Face face;

    /** One that programs know. */
    public NioProvider() {
        this.visible = this;
        this.face = Face.NIO;
    }

    /**
     * One behind another.
     *
     * @param visible to which channels and selectors are to belong
     * @param face that the program sees of them
     */
    public NioProvider(SelectorProvider visible, Face face) {
        this.visible = visible;
        this.face = face;
    }

    /** As the JDK's providers: none is an error, no wish. */
    private static ProtocolFamily named(ProtocolFamily family) {
        return Objects.requireNonNull(family, "'family' is null");
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return JdkChannels.provider().openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return JdkChannels.provider().openDatagramChannel(named(family));
    }

    @Override
    public Pipe openPipe() throws IOException {
        return JdkChannels.openPipe();
    }

    /** {@return a selector for channels that no program sees} */
    public AbstractSelector openOwnSelector() throws IOException {
        return new ExsSelector(visible);
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return JdkSelectors.areNeeded() ? JdkSelectors.open() : new ExsSelector(visible);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return new ExsServerSocketChannel(visible, JdkChannels.openServerSocketChannel(null), true, face);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        ServerSocketChannel jdk = JdkChannels.openServerSocketChannel(named(family));
        return family == StandardProtocolFamily.UNIX
                ? jdk
                : new ExsServerSocketChannel(visible, jdk, family != StandardProtocolFamily.INET, face);
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return new ExsSocketChannel(visible, (ProtocolFamily) null, face);
    }

    /** A channel that may come to travel over EXS has no descriptor yet. */
    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return Ipv6.isTcp(named(family))
                ? new ExsSocketChannel(visible, family, face)
                : JdkChannels.openSocketChannel(family);
    }

    /** {@return the JDK's channel, or null} */
    @Override
    public Channel inheritedChannel() throws IOException {
        return JdkChannels.provider().inheritedChannel();
    }
}
