package org.exsockets.nio;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.exsockets.jdk.JdkChannels;

/** The options of the JDK's socket channel, for channels that have none of their own yet. */
final class SupportedOptions {
    static final Set<SocketOption<?>> SOCKET = read();

    private SupportedOptions() {}

    private static Set<SocketOption<?>> read() {
        try (SocketChannel channel = JdkChannels.openSocketChannel(null)) {
            return channel.supportedOptions();
        } catch (IOException noDescriptors) {
            return Set.of();
        }
    }
}
