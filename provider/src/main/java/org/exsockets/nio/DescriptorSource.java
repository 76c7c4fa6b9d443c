package org.exsockets.nio;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import org.exsockets.jdk.ForeignChannels;

/** A channel of the JDK behind a key: the program's own (a pipe, a datagram channel), or the TCP side of one of ours. */
final class DescriptorSource implements KeySource {
    private final SelectableChannel channel;
    private final boolean foreign;
    private volatile SelectionKey innerKey;

    /** @param foreign whether the program itself holds {@code channel}, so that it must not see the inner key */
    DescriptorSource(SelectableChannel channel, boolean foreign) {
        this.channel = channel;
        this.foreign = foreign;
    }

    @Override
    public void update(Selector inner, ExsKey key) {
        int ops = key.interest() & channel.validOps();
        try {
            if (innerKey == null) {
                innerKey = foreign
                        ? ForeignChannels.register(inner, (AbstractSelectableChannel) channel, ops, key)
                        : channel.register(inner, ops, key);
            } else if (innerKey.interestOps() != ops) {
                innerKey.interestOps(ops);
            }
        } catch (ClosedChannelException | CancelledKeyException closed) {
            // The outer key is cancelled with the channel, or about to be.
        }
    }

    @Override
    public int onInnerReady(SelectionKey ready) {
        try {
            return ready.readyOps();
        } catch (CancelledKeyException cancelledMeanwhile) {
            return 0;
        }
    }

    @Override
    public boolean polled() {
        return false;
    }

    @Override
    public int poll(int interest) {
        return 0;
    }

    @Override
    public boolean hasNews() {
        return false;
    }

    @Override
    public void arm() {}

    @Override
    public void cancelInner() {
        SelectionKey key = innerKey;
        if (key != null) {
            key.cancel();
        }
    }

    @Override
    public void detached() {}
}
