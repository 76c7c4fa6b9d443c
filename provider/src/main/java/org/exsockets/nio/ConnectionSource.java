package org.exsockets.nio;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.exsockets.socket.ExsConnection;
import org.exsockets.verbs.SleepSign;

/** An EXS connection behind a key: polled in memory, woken through its sign or its completion channel. */
final class ConnectionSource implements KeySource {
    private final ExsSocketChannel channel;
    private final ExsConnection connection;
    private final Runnable signal;
    private volatile SelectionKey innerKey;

    private ConnectionSource(ExsSocketChannel channel, ExsConnection connection, Runnable signal) {
        this.channel = channel;
        this.connection = connection;
        this.signal = signal;
    }

    /** {@return null if the connection is already released; the key is then about to be cancelled} */
    static ConnectionSource of(ExsSocketChannel channel, ExsConnection connection, ExsSelector selector, ExsKey key) {
        Runnable signal = new Runnable() {
            @Override
            public void run() {
                selector.onSignal(key);
            }
        };
        return connection.addSelector(signal) ? new ConnectionSource(channel, connection, signal) : null;
    }

    @Override
    public void update(Selector inner, ExsKey key) {
        if (innerKey == null) {
            try {
                innerKey = connection.events().selectable().register(inner, SelectionKey.OP_READ, key);
            } catch (ClosedChannelException disconnected) {
                // Polling shows how the connection has ended.
            }
        }
    }

    @Override
    public int onInnerReady(SelectionKey ready) {
        connection.takeEvents();
        if (!connection.hungUp()) {
            return 0;
        }
        // End of file stays readable for ever; from here on polling tells everything.
        try {
            ready.interestOps(0);
        } catch (CancelledKeyException closedMeanwhile) {
            // Another thread has closed the channel: its key is about to go, too.
        }
        // Own resets of a channel that was closed meanwhile hide how the peer ends, of which polling would tell.
        return channel.isOpen() ? 0 : ((ExsKey) ready.attachment()).selectedFor();
    }

    @Override
    public boolean showsInInner() {
        return false;
    }

    @Override
    public boolean polled() {
        return true;
    }

    @Override
    public int poll(int interest) {
        if (connection.lookForPeersEnd() && !channel.isOpen()) {
            return interest; // As in onInnerReady, where that channel may not be looked at.
        }
        if (channel.isConnectionPending()) {
            return connection.isReset() ? interest : pollPending(interest); // A reset is for all, as over TCP.
        }
        boolean left = (interest & SelectionKey.OP_CONNECT) != 0;
        if (left && connection.pollsAsHungUp()) {
            return interest;
        }
        int ready = 0;
        if ((interest & SelectionKey.OP_READ) != 0 && connection.readable()) {
            ready = SelectionKey.OP_READ;
        }
        // An interest in connecting is left over. To poll(2) it is one in writing, which ends the selection without
        // this key.
        if ((left || (interest & SelectionKey.OP_WRITE) != 0) && connection.writable()) {
            ready |= SelectionKey.OP_WRITE;
        }
        return ready;
    }

    private int pollPending(int interest) {
        boolean forOthers = (interest & SelectionKey.OP_READ) != 0 && connection.readable();
        return forOthers ? SelectionKey.OP_CONNECT : KeySource.connected(interest);
    }

    @Override
    public boolean replacesReady() {
        return connection.pollsAsHungUp();
    }

    @Override
    public boolean hasNews() {
        return connection.hasCompletions();
    }

    @Override
    public void anticipate() {
        connection.anticipate();
    }

    @Override
    public void arm() {
        connection.arm();
    }

    @Override
    public SleepSign openSleepSign() {
        return connection.openSleepSign();
    }

    @Override
    public boolean show(SleepSign sign, int cell, boolean marks) {
        return connection.show(sign, cell, marks);
    }

    @Override
    public void hide(SleepSign sign) {
        connection.hide(sign);
    }

    @Override
    public void onMarked() {
        connection.lookForPeersEnd();
    }

    @Override
    public boolean wakesOnWord() {
        return connection.wakesOnWord();
    }

    @Override
    public boolean lookUnwatched() {
        return connection.lookWhetherRefused();
    }

    @Override
    public void watch() throws IOException {
        connection.watch();
    }

    @Override
    public long wakeUpNs() {
        return connection.events().wakeUpNs();
    }

    @Override
    public void cancelInner() {
        SelectionKey key = innerKey;
        if (key != null) {
            key.cancel();
        }
    }

    @Override
    public void detached() {
        connection.removeSelector(signal);
    }
}
