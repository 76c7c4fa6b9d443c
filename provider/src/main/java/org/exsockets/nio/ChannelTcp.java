package org.exsockets.nio;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.exsockets.jdk.Ipv6;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.rendezvous.InheritedOptions;
import org.exsockets.rendezvous.TcpSide;

/** The JDK's channel behind one of ours. Any thread. */
final class ChannelTcp extends TcpSide<SocketChannel> {
    private final ExsSocketChannel channel;

    /** Of the addresses that the program may bind or connect to; null: any. */
    private final ProtocolFamily family;

    /** The mode of a channel that is made later. Written by {@link #ifNone}, read by {@link #make}. */
    private boolean blocking = true;

    /** The program has set SO_LINGER at least once. The JDK's channel has its value. */
    private volatile boolean lingers;

    ChannelTcp(ExsSocketChannel channel, ProtocolFamily family) {
        this.channel = channel;
        this.family = family;
    }

    @Override
    protected boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    protected SocketChannel make(InheritedOptions options) throws IOException {
        SocketChannel made = JdkChannels.openSocketChannel(family);
        try {
            made.configureBlocking(blocking);
            options.applyTo(made::setOption);
            return made;
        } catch (IOException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    /** {@return whether the channel's family permits a connect to {@code remote}, which is resolved} */
    boolean permits(InetSocketAddress remote) {
        boolean ipv4 = family == StandardProtocolFamily.INET || family == null && !Ipv6.dualStack();
        return !ipv4 || remote.getAddress() instanceof Inet4Address;
    }

    @Override
    protected SocketChannel closed() throws IOException {
        return SupportedOptions.closedChannel();
    }

    /** As {@link SocketChannel#configureBlocking}, for the present channel or one that is made later. */
    void configureBlocking(boolean block) throws IOException {
        if (!ifNone(new Runnable() {
            @Override
            public void run() {
                blocking = block;
            }
        })) {
            orNull().configureBlocking(block);
        }
    }

    /**
     * {@return {@code e}, for the caller to throw} Closes our channel if the JDK's has closed itself, as it does when a
     * connect fails or its thread is interrupted.
     */
    IOException closedWith(IOException e) throws IOException {
        SocketChannel known = orNull();
        if (known != null && !known.isOpen() && channel.isOpen()) {
            channel.close();
        }
        return e;
    }

    /** SO_LINGER has been set. */
    void setLingers() {
        lingers = true;
    }

    /** {@return SO_LINGER in seconds; −1: off} */
    int lingerSeconds() throws IOException {
        SocketChannel known = orNull();
        if (!lingers || known == null || !known.isOpen()) {
            return -1;
        }
        Integer seconds = known.getOption(StandardSocketOptions.SO_LINGER);
        return seconds == null ? -1 : seconds;
    }
}
