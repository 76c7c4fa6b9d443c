package org.exsockets.nio;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.exsockets.connection.ExsConnection;
import org.exsockets.connection.life.ConnectionProgress;
import org.exsockets.connection.life.Readiness;
import org.exsockets.nio.select.ExsKey;
import org.exsockets.nio.select.KeySelector;
import org.exsockets.nio.select.KeySource;
import org.exsockets.verbs.SleepSign;
import org.jspecify.annotations.Nullable;

/** An EXS connection behind a key. It is polled in memory; its sign or completion channel wakes the selector. */
final class ConnectionSource implements KeySource, Runnable {
    private final SocketChannel channel;
    private final Readiness readiness;
    private final ConnectionProgress progress;
    private final KeySelector selector;
    private final ExsKey key;
    private volatile @Nullable SelectionKey innerKey;

    private ConnectionSource(SocketChannel channel, ExsConnection connection, KeySelector selector, ExsKey key) {
        this.channel = channel;
        this.readiness = connection.readiness();
        this.progress = connection.progress;
        this.selector = selector;
        this.key = key;
    }

    /** {@return null if the connection is already released; the key is then about to be cancelled} */
    static @Nullable ConnectionSource of(
            SocketChannel channel, ExsConnection connection, KeySelector selector, ExsKey key) {
        ConnectionSource source = new ConnectionSource(channel, connection, selector, key);
        return source.readiness.addSelector(source) ? source : null;
    }

    /** An event of the connection was taken. */
    @Override
    public void run() {
        selector.onSignal(key);
    }

    @Override
    public void update(Selector inner, ExsKey same) {
        if (innerKey == null) {
            try {
                innerKey = progress.events.selectable().register(inner, SelectionKey.OP_READ, key);
            } catch (ClosedChannelException disconnected) {
                // Polling shows how the connection has ended.
            }
        }
    }

    @Override
    public int onInnerReady(SelectionKey ready) {
        progress.takeEvents();
        if (!progress.life.isHungUp()) {
            return 0;
        }
        // End of file stays readable for ever. From now on polling shows everything.
        try {
            ready.interestOps(0);
        } catch (CancelledKeyException closedMeanwhile) {
            // Another thread has closed the channel and is about to cancel the key, too.
        }
        // If the channel was closed meanwhile, its own reset hides the peer's end from polling.
        return channel.isOpen() ? 0 : key.selectedFor();
    }

    @Override
    public int poll(int interest) {
        if (readiness.lookForPeersEnd() && !channel.isOpen()) {
            return interest; // As in onInnerReady, which is not called for a sleep on the word.
        }
        if (channel.isConnectionPending()) {
            // A reset makes all ready, as over TCP.
            return progress.isReset() ? interest : pollPending(interest);
        }
        boolean left = (interest & SelectionKey.OP_CONNECT) != 0;
        if (left && readiness.pollsAsHungUp()) {
            return interest;
        }
        int ready = 0;
        if ((interest & SelectionKey.OP_READ) != 0 && readiness.readable()) {
            ready = SelectionKey.OP_READ;
        }
        // OP_CONNECT is left over. To poll(2) it means writing, which ends the selection without selecting this key.
        if ((left || (interest & SelectionKey.OP_WRITE) != 0) && readiness.writable()) {
            ready |= SelectionKey.OP_WRITE;
        }
        return ready;
    }

    private int pollPending(int interest) {
        boolean forOthers = (interest & SelectionKey.OP_READ) != 0 && readiness.readable();
        return forOthers ? SelectionKey.OP_CONNECT : KeySource.connected(interest);
    }

    @Override
    public boolean replacesReady() {
        return readiness.pollsAsHungUp();
    }

    @Override
    public boolean hasNews() {
        return progress.hasCompletions();
    }

    @Override
    public void arm() {
        progress.arm();
    }

    @Override
    public @Nullable SleepSign openSleepSign() {
        return progress.completions.openSleepSign();
    }

    @Override
    public boolean show(SleepSign sign, int cell, boolean sets) {
        return readiness.show(sign, cell, sets);
    }

    @Override
    public void hide(SleepSign sign) {
        progress.completions.hide(sign);
    }

    @Override
    public void onCellSet() {
        readiness.lookForPeersEnd();
    }

    @Override
    public boolean wakesOnWord() {
        return progress.completions.showsSigns();
    }

    @Override
    public boolean lookUnwatched() {
        return readiness.lookWhetherRefused();
    }

    @Override
    public void watch() throws IOException {
        progress.waiters.watch();
    }

    @Override
    public long wakeUpNs() {
        return progress.events.wakeUpNs();
    }

    @Override
    public void cancelInner() {
        SelectionKey known = innerKey;
        if (known != null) {
            known.cancel();
        }
    }

    @Override
    public void detached() {
        readiness.removeSelector(this);
    }
}
