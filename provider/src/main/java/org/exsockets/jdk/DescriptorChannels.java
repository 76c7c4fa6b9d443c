package org.exsockets.jdk;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.spi.SelectorProvider;

/**
 * Channels of the JDK over descriptors that it did not open, only for its selectors. In the library of {@link
 * DescriptorPoll}. Any thread.
 *
 * <p>The JDK makes such a channel for the reading end of a pipe, by a constructor that is not public. Native code may
 * call it, whatever its module exports.
 */
public final class DescriptorChannels {
    private DescriptorChannels() {}

    /**
     * {@return a non-blocking channel, readable when the descriptor is; that of a listening socket, when a connection
     * waits} Closing it closes the descriptor, once no selector knows the channel any more.
     *
     * @param descriptor non-blocking; belongs to the channel from now on
     * @throws IOException if this JDK has no such channels; the descriptor is still the caller's
     */
    public static SelectableChannel readable(int descriptor) throws IOException {
        return over(holder(descriptor));
    }

    /**
     * As {@link #readable}, but the descriptor stays its owner's: the channel is not to be closed.
     *
     * @throws IOException also if the native library cannot be used
     */
    public static SelectableChannel view(FileDescriptor descriptor) throws IOException {
        if (!DescriptorPoll.isLoaded()) {
            throw new IOException("selection of a socket: no native library: " + DescriptorPoll.obstacle());
        }
        return over(descriptor);
    }

    private static SelectableChannel over(FileDescriptor descriptor) throws IOException {
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
        SelectableChannel channel = make(JdkChannels.provider(), holder(-1));
        channel.close();
        return channel;
    }

    private static native FileDescriptor holder(int descriptor);

    private static native SelectableChannel make(SelectorProvider provider, FileDescriptor descriptor);
}
