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
import org.exsockets.jdk.ForeignChannels;
import org.exsockets.jdk.Ipv6;
import org.exsockets.jdk.JdkChannels;

/**
 * Opens channels and selectors on behalf of a provider. Thread-safe.
 *
 * <p>Where EXS has no part (datagrams, pipes, Unix-domain channels) programs get the JDK's own channels, unless our
 * selectors cannot register those: then they get wrappers.
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

    private boolean handsOutJdkChannels() {
        return !enabled || ForeignChannels.supported();
    }

    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        DatagramChannel jdk = family == null
                ? JdkChannels.provider().openDatagramChannel()
                : JdkChannels.provider().openDatagramChannel(family);
        return handsOutJdkChannels() ? jdk : new ExsDatagramChannel(provider, jdk);
    }

    public Pipe openPipe() throws IOException {
        Pipe jdk = JdkChannels.provider().openPipe();
        return handsOutJdkChannels() ? jdk : new ExsPipe(provider, jdk);
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
        if (family == StandardProtocolFamily.UNIX) {
            return handsOutJdkChannels() ? jdk : new ExsUnixServerSocketChannel(provider, jdk);
        }
        return enabled ? new ExsServerSocketChannel(provider, jdk, family != StandardProtocolFamily.INET, face) : jdk;
    }

    /** A channel that may come to travel over EXS has no descriptor yet. */
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        if (enabled && Ipv6.isTcp(family)) {
            return new ExsSocketChannel(provider, family, face);
        }
        SocketChannel jdk = JdkChannels.openSocketChannel(family);
        return family != StandardProtocolFamily.UNIX || handsOutJdkChannels()
                ? jdk
                : new ExsUnixSocketChannel(provider, jdk);
    }

    /** {@return the JDK's channel, or null; it cannot be registered with our selectors where the JDK's in general cannot} */
    public Channel inheritedChannel() throws IOException {
        return JdkChannels.provider().inheritedChannel();
    }
}
