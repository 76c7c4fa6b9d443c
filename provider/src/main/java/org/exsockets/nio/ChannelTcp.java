package org.exsockets.nio;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.socket.InheritedOptions;
import org.exsockets.socket.TcpSide;

/** The JDK's channel behind one of ours. Any thread. */
final class ChannelTcp extends TcpSide<SocketChannel> {
    private final ExsSocketChannel channel;

    /** The program has set SO_LINGER at some time: what it is now, the JDK's channel knows. */
    private volatile boolean lingers;

    ChannelTcp(ExsSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    protected boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    protected SocketChannel make(InheritedOptions options) throws IOException {
        SocketChannel made = JdkChannels.openSocketChannel(null);
        options.applyTo(made::setOption);
        return made;
    }

    @Override
    protected SocketChannel closed() throws IOException {
        return SupportedOptions.closedChannel();
    }

    /**
     * {@return {@code e}, for the caller to throw} A JDK channel that fails to connect, or whose thread is interrupted,
     * closes itself; so does ours.
     */
    IOException closedWith(IOException e) throws IOException {
        if (!orNull().isOpen() && channel.isOpen()) {
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
