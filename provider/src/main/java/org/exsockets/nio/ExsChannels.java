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
import org.exsockets.config.Face;
import org.exsockets.jdk.Ipv6;
import org.exsockets.jdk.JdkChannels;

/**
 * Opens channels and selectors on behalf of a provider. Where EXS has no part (datagrams, pipes, Unix-domain channels) programs
 * get the JDK's own, which our selectors take, too. Thread-safe.
 */
public final class ExsChannels {
    private final SelectorProvider provider;
    private final boolean enabled;
    private final Face face;

    /**
     * @param provider to which channels and selectors are to belong
     * @param enabled false to leave everything to the JDK
     * @param face that the program sees of them
     */
    public ExsChannels(SelectorProvider provider, boolean enabled, Face face) {
        this.provider = provider;
        this.enabled = enabled;
        this.face = face;
    }

    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return family == null
                ? JdkChannels.provider().openDatagramChannel()
                : JdkChannels.provider().openDatagramChannel(family);
    }

    public Pipe openPipe() throws IOException {
        return JdkChannels.openPipe();
    }

    /** {@return a selector for channels that no program sees} */
    public AbstractSelector openOwnSelector() throws IOException {
        return new ExsSelector(provider);
    }

    public AbstractSelector openSelector() throws IOException {
        if (!enabled) {
            return JdkChannels.provider().openSelector();
        }
        return JdkSelectors.areNeeded() ? JdkSelectors.open() : new ExsSelector(provider);
    }

    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        ServerSocketChannel jdk = JdkChannels.openServerSocketChannel(family);
        return enabled && family != StandardProtocolFamily.UNIX
                ? new ExsServerSocketChannel(provider, jdk, family != StandardProtocolFamily.INET, face)
                : jdk;
    }

    /** A channel that may come to travel over EXS has no descriptor yet. */
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return enabled && Ipv6.isTcp(family)
                ? new ExsSocketChannel(provider, family, face)
                : JdkChannels.openSocketChannel(family);
    }

    /** {@return the JDK's channel, or null} */
    public Channel inheritedChannel() throws IOException {
        return JdkChannels.provider().inheritedChannel();
    }
}
