package org.exsockets.nio;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.exsockets.socket.Acceptor;

/** A listener on TCP and on a device behind one key. */
final class ListenerSource implements KeySource {
    private final SelectableChannel tcp;
    private final Acceptor<?> acceptor;
    private final Runnable lateSignal;
    private volatile SelectionKey tcpKey;
    private volatile SelectionKey deviceKey;

    ListenerSource(SelectableChannel tcp, Acceptor<?> acceptor, ExsSelector selector, ExsKey key) {
        this.tcp = tcp;
        this.acceptor = acceptor;
        this.lateSignal = () -> selector.onSignal(key);
        acceptor.addLateSignal(lateSignal);
    }

    @Override
    public void update(Selector inner, ExsKey key) {
        int ops = key.interest();
        tcpKey = update(tcpKey, tcp, inner, ops, key);
        deviceKey = update(deviceKey, acceptor.deviceSelectable(), inner, ops, key);
    }

    private static SelectionKey update(
            SelectionKey known, SelectableChannel channel, Selector inner, int ops, ExsKey key) {
        try {
            if (known == null) {
                return channel.register(inner, ops, key);
            }
            known.interestOps(ops);
        } catch (ClosedChannelException | CancelledKeyException closed) {
            // The outer key is cancelled with the channel, or about to be.
        }
        return known;
    }

    @Override
    public int onInnerReady(SelectionKey ready) {
        return SelectionKey.OP_ACCEPT;
    }

    @Override
    public boolean showsInInner() {
        return true;
    }

    @Override
    public boolean polled() {
        return true;
    }

    @Override
    public int poll(int interest) {
        return acceptor.hasLate() ? interest & SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    public boolean hasNews() {
        return acceptor.hasLate();
    }

    @Override
    public void arm() {}

    @Override
    public void cancelInner() {
        cancel(tcpKey);
        cancel(deviceKey);
    }

    private static void cancel(SelectionKey key) {
        if (key != null) {
            key.cancel();
        }
    }

    @Override
    public void detached() {
        acceptor.removeLateSignal(lateSignal);
    }
}
