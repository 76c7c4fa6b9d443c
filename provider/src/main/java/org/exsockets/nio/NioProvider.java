package org.exsockets.nio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import org.exsockets.config.Face;
import org.exsockets.connection.ExsConnection;
import org.exsockets.jdk.Ipv6;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.nio.select.ExsSelector;
import org.exsockets.observe.Log;
import org.exsockets.rendezvous.InheritedOptions;

/**
 * Opens TCP channels that use EXS if the peer can, and selectors for them. Datagram channels, pipes and Unix-domain
 * channels are the JDK's own, which our selectors accept, too. Thread-safe.
 */
public final class NioProvider extends SelectorProvider {
    private static final String AGRONA = "org.agrona.";

    private final SelectorProvider visible;
    private final Face face;

    /** A provider that programs see. */
    public NioProvider() {
        this.visible = this;
        this.face = Face.NIO;
    }

    /** {@return a provider that programs see} Who has it by this type need not load this class to be verified. */
    public static SelectorProvider forPrograms() {
        return new NioProvider();
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
        return JdkChannels.provider().openPipe();
    }

    /** {@return a channel over a connection that no program sees} */
    public SocketChannel ownChannel(ExsConnection connection) {
        return new ExsSocketChannel(visible, connection, InheritedOptions.NONE, face);
    }

    /** {@return a selector for channels that no program sees} */
    public AbstractSelector openOwnSelector() throws IOException {
        return new ExsSelector(visible);
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        if (!isForAgrona()) {
            return new ExsSelector(visible);
        }
        Log.info("a selector for Agrona is the JDK's: it takes no socket channels of EXS (exs.faces=net,aio)");
        return JdkChannels.provider().openSelector();
    }

    /**
     * {@return whether Agrona opens a selector, by {@link Selector#open} or a provider} Its {@code TransportPoller}
     * before 1.23, which Aeron uses, sets fields of {@code sun.nio.ch.SelectorImpl} and does not start without them. It
     * polls datagrams, whose channels are always the JDK's; socket channels of EXS cannot be registered with such a
     * selector. Netty, Hazelcast and Ignite set these fields, too, but can do without.
     */
    static boolean isForAgrona() {
        // No StackWalker, which would cost the first selector of every program milliseconds.
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String caller = frame.getClassName();
            if (!caller.startsWith("org.exsockets.") && !caller.startsWith("java.nio.channels.")) {
                return isAgrona(caller);
            }
        }
        return false;
    }

    /** {@return whether a class is Agrona's, or a relocated copy} */
    static boolean isAgrona(String name) {
        return name.startsWith(AGRONA) || name.contains("." + AGRONA);
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

    @Override
    public Channel inheritedChannel() throws IOException {
        return JdkChannels.provider().inheritedChannel();
    }
}
