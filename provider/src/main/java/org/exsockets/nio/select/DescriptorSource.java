package org.exsockets.nio.select;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.ForeignChannels;
import org.jspecify.annotations.Nullable;

/** A channel of the JDK behind a key: the program's own (a pipe, a datagram channel) or the TCP side of one of ours. */
public final class DescriptorSource implements KeySource {
    private final SelectableChannel channel;
    private final boolean foreign;

    /** Null until registered. */
    @GuardedBy("this")
    private @Nullable SelectionKey innerKey;

    /** @param foreign whether the program itself holds {@code channel}, so that it must not see the inner key */
    public DescriptorSource(SelectableChannel channel, boolean foreign) {
        this.channel = channel;
        this.foreign = foreign;
    }

    /**
     * A thread that has cancelled the outer key may make the channel blocking while the selecting thread updates the
     * key. Because of the monitor, either this method sees the cancelled key, or {@link #cancelInner} sees the inner
     * key. A foreign channel does not know its inner key.
     */
    @Override
    public synchronized void update(Selector inner, ExsKey key) {
        if (!foreign && !key.isValid()) {
            return;
        }
        int ops = innerOps(key.selectedFor & channel.validOps());
        try {
            if (innerKey == null) {
                innerKey = foreign
                        ? ForeignChannels.register(inner, (AbstractSelectableChannel) channel, ops, key)
                        : channel.register(inner, ops, key);
            } else if (innerKey.interestOps() != ops) {
                innerKey.interestOps(ops);
            }
        } catch (ClosedChannelException | CancelledKeyException | IllegalBlockingModeException goneMeanwhile) {
            // The outer key is cancelled or about to be: the channel was closed or made blocking.
        }
    }

    /** @see KeySource#connected */
    private int innerOps(int ops) {
        boolean toldOfConnect = (ops & SelectionKey.OP_WRITE) != 0
                && channel instanceof SocketChannel socket
                && socket.isConnectionPending();
        return toldOfConnect ? ops | SelectionKey.OP_CONNECT : ops;
    }

    @Override
    public int onInnerReady(SelectionKey ready) {
        try {
            return ready.readyOps();
        } catch (CancelledKeyException cancelledMeanwhile) {
            return channel.validOps(); // The outer key is cancelled, too. Its descriptor still ends the selection.
        }
    }

    @Override
    public boolean showsInInner() {
        return true;
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
    public boolean replacesReady() {
        boolean unconnected =
                channel instanceof SocketChannel socket && !socket.isConnected() && !socket.isConnectionPending();
        return unconnected || DescriptorPoll.hungUp(channel);
    }

    @Override
    public boolean hasNews() {
        return false;
    }

    @Override
    public synchronized void cancelInner() {
        SelectionKey key = innerKey;
        if (key != null) {
            key.cancel();
        }
    }
}
