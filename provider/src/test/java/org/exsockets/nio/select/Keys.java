package org.exsockets.nio.select;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.exsockets.jdk.JdkChannels;

/** Makes keys without registering them anywhere: a selector of ours and a channel of the JDK's that is never connected. */
final class Keys implements AutoCloseable {
    private final ExsSelector selector = new ExsSelector(JdkChannels.provider());
    private final SocketChannel channel = JdkChannels.openSocketChannel(null);

    Keys() throws IOException {}

    ExsSelector selector() {
        return selector;
    }

    SocketChannel channel() {
        return channel;
    }

    ExsKey key(int interest) {
        return new ExsKey(selector, channel, interest);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }
}
