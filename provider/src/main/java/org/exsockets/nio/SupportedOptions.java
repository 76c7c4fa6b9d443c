package org.exsockets.nio;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.exsockets.jdk.JdkChannels;

/** The options of the JDK's socket channel, for channels that have none of their own yet, or any more. */
final class SupportedOptions {
    /**
     * One for all, which has no state any more. Null until there was a descriptor for it; threads that find it so at the same time
     * make one each, and whichever stays is as good.
     */
    private static volatile SocketChannel closedChannel;

    private SupportedOptions() {}

    /** {@return those of a socket channel; none if it cannot be found out now} */
    static Set<SocketOption<?>> ofSocket() {
        try {
            return closedChannel().supportedOptions();
        } catch (IOException noDescriptors) {
            return Set.of();
        }
    }

    /** {@return a channel of the JDK that is closed: what it throws is what closed channels throw} */
    static SocketChannel closedChannel() throws IOException {
        SocketChannel known = closedChannel;
        if (known == null) {
            known = JdkChannels.openSocketChannel(null);
            known.close();
            closedChannel = known;
        }
        return known;
    }

    /** {@return as {@link #closedChannel}, of listeners} */
    static ServerSocketChannel closedListener() throws IOException {
        ServerSocketChannel channel = JdkChannels.openServerSocketChannel(null);
        channel.close();
        return channel;
    }
}
