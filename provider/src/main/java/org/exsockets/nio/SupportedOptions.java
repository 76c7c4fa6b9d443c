package org.exsockets.nio;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.exsockets.jdk.JdkChannels;

/** The options of the JDK's socket channel, for channels that have none of their own yet, or any more. */
final class SupportedOptions {
    static final Set<SocketOption<?>> SOCKET = read();

    private SupportedOptions() {}

    /** {@return a channel of the JDK that is closed: what it throws is what closed channels throw} */
    static SocketChannel closedChannel() throws IOException {
        SocketChannel channel = JdkChannels.openSocketChannel(null);
        channel.close();
        return channel;
    }

    /** {@return as {@link #closedChannel}, of listeners} */
    static ServerSocketChannel closedListener() throws IOException {
        ServerSocketChannel channel = JdkChannels.openServerSocketChannel(null);
        channel.close();
        return channel;
    }

    private static Set<SocketOption<?>> read() {
        try (SocketChannel channel = JdkChannels.openSocketChannel(null)) {
            return channel.supportedOptions();
        } catch (IOException noDescriptors) {
            return Set.of();
        }
    }
}
