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
import org.exsockets.nio.select.ExsSelector;

/**
 * Opens TCP channels that use EXS if the peer can, and selectors for them. Datagram channels, pipes and Unix-domain
 * channels are the JDK's own, which our selectors accept, too. Thread-safe.
 */
public final class NioProvider extends SelectorProvider {
    private final SelectorProvider visible;
    private final Face face;

    /** A provider that programs see. */
    public NioProvider() {
        this.visible = this;
        this.face = Face.NIO;
    }

    /**
     * A provider behind another one.
     *
     * @param visible the provider to which channels and selectors belong
     * @param face that the program uses
     */
    public NioProvider(SelectorProvider visible, Face face) {
        this.visible = visible;
        this.face = face;
    }

    /** As in the JDK's providers, null is an error. */
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

    /** A channel that may use EXS has no descriptor yet. */
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
