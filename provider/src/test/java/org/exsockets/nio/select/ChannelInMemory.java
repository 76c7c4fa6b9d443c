package org.exsockets.nio.select;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectableChannel;

/** A channel, registered for reading, whose readiness lies in memory. */
abstract class ChannelInMemory extends AbstractSelectableChannel implements ExsChannel, KeySource {
    private final ChannelKeys keys = new ChannelKeys();
    int ready;
    long armed;

    ChannelInMemory(ExsSelector selector) throws IOException {
        super(selector.provider());
        configureBlocking(false);
        register(selector, SelectionKey.OP_READ);
    }

    @Override
    public final KeySource source(KeySelector selector, ExsKey key, KeySource present) {
        return this;
    }

    @Override
    public final ChannelKeys keys() {
        return keys;
    }

    @Override
    public int poll(int interest) {
        return ready & interest;
    }

    @Override
    public boolean hasNews() {
        return ready != 0;
    }

    @Override
    public final void arm() {
        armed++;
    }

    @Override
    public final int validOps() {
        return SelectionKey.OP_READ;
    }

    @Override
    protected final void implCloseSelectableChannel() {}

    @Override
    protected final void implConfigureBlocking(boolean block) {}
}
