package org.exsockets.nio.transport;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.exsockets.jdk.JdkChannels;
import org.jspecify.annotations.Nullable;

/** Options and exceptions of JDK channels, for channels of ours that have no open one. */
public final class SupportedOptions {
    /**
     * One for all, as a closed channel has no state. Null until there was a descriptor for it. Threads that find null
     * at the same time make one each; any of them serves.
     */
    private static volatile @Nullable SocketChannel closedChannel;

    private SupportedOptions() {}

    /** {@return the options of a socket channel; none if there is no descriptor to find out} */
    static Set<SocketOption<?>> ofSocket() {
        try {
            return closedChannel().supportedOptions();
        } catch (IOException noDescriptors) {
            return Set.of();
        }
    }

    /** {@return a closed channel of the JDK: it throws what closed channels throw} */
    public static SocketChannel closedChannel() throws IOException {
        SocketChannel known = closedChannel;
        if (known == null) {
            known = ownClosedChannel();
            closedChannel = known;
        }
        return known;
    }

    /** {@return as {@link #closedChannel}, for a connect: the channel remembers the thread that was interrupted in it} */
    public static SocketChannel ownClosedChannel() throws IOException {
        SocketChannel channel = JdkChannels.openSocketChannel(null);
        channel.close();
        return channel;
    }

    /** {@return a closed listener of the JDK, as {@link #closedChannel}} */
    public static ServerSocketChannel closedListener() throws IOException {
        ServerSocketChannel channel = JdkChannels.openServerSocketChannel(null);
        channel.close();
        return channel;
    }
}
