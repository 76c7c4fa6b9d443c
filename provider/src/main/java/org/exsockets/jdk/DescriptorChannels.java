package org.exsockets.jdk;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.spi.SelectorProvider;

/**
 * Channels of the JDK's own over descriptors that are not: its selectors, and nothing else, take them. In the library of {@link
 * DescriptorPoll}. Any thread.
 *
 * <p>The JDK makes such a channel for the reading end of a pipe, by a constructor that is nobody's; native code may call it, whatever
 * its module exports.
 */
public final class DescriptorChannels {
    private DescriptorChannels() {}

    /**
     * {@return a non-blocking channel that is readable when the descriptor is, a listening socket when a connection waits} To close it
     * closes the descriptor, once no selector knows it any more.
     *
     * @param descriptor non-blocking; the channel's from now on
     * @throws IOException if this JDK has no such channels; the descriptor is the caller's still
     */
    public static SelectableChannel readable(int descriptor) throws IOException {
        try {
            SelectableChannel channel = make(JdkChannels.provider(), descriptor);
            channel.configureBlocking(false);
            return channel;
        } catch (LinkageError e) {
            throw new IOException("selection of a socket: this JDK has no such channel: " + e, e);
        }
    }

    /** {@return a channel that is closed already} */
    public static SelectableChannel closed() throws IOException {
        SelectableChannel channel = make(JdkChannels.provider(), -1);
        channel.close();
        return channel;
    }

    private static native SelectableChannel make(SelectorProvider provider, int descriptor);
}
