package org.exsockets.nio;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import org.exsockets.jdk.ForeignChannels;

/**
 * A channel of the JDK inside one of ours, and our channel's keys: what all thin wrappers have in common.
 *
 * <p>Wrappers are handed out where {@link ForeignChannels} cannot register the JDK's own channels. The inner channel
 * blocks, is interrupted and is closed asynchronously by the JDK's rules; when it has closed itself, so does the wrapper.
 * Lives as long as the wrapper. Thread-safe.
 */
final class WrappedChannel<C extends SelectableChannel> {
    private final AbstractSelectableChannel wrapper;
    private final C inner;
    private final ChannelKeys keys = new ChannelKeys();

    WrappedChannel(AbstractSelectableChannel wrapper, C inner) {
        this.wrapper = wrapper;
        this.inner = inner;
    }

    C inner() {
        return inner;
    }

    /** {@return {@code e}, for the caller to throw} Closes the wrapper if the inner channel is closed. */
    IOException closedWith(IOException e) throws IOException {
        if (!inner.isOpen()) {
            wrapper.close();
        }
        return e;
    }

    KeySource source(ExsKey key) {
        KeySource now = key.source;
        return now != null ? now : new DescriptorSource(inner, false);
    }

    ChannelKeys keys() {
        return keys;
    }

    /** For {@code implCloseSelectableChannel}: a registered descriptor goes with the next selection, as the JDK's does. */
    void close() throws IOException {
        inner.close();
    }

    /** For {@code implConfigureBlocking}. */
    void configureBlocking(boolean block) throws IOException {
        keys.cancelInnerOfCancelled();
        inner.configureBlocking(block);
    }
}
