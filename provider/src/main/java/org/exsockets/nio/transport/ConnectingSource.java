package org.exsockets.nio.transport;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.exsockets.nio.select.ExsKey;
import org.exsockets.nio.select.KeySource;

/** A channel whose connect is under way in the background: no descriptor shows its progress. */
public final class ConnectingSource implements KeySource {
    private final TransportDecision decision;

    /** @param decision that the connect will change */
    public ConnectingSource(TransportDecision decision) {
        this.decision = decision;
    }

    @Override
    public void update(Selector inner, ExsKey key) {
        // The channel signals the key when the connect is decided.
    }

    @Override
    public int onInnerReady(SelectionKey ready) {
        return 0;
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
        if (!decision.canFinishConnect()) {
            return 0;
        }
        return decision.hasFailed() ? interest : KeySource.connected(interest);
    }

    @Override
    public boolean hasNews() {
        return decision.canFinishConnect();
    }

    @Override
    public boolean wakesOnWord() {
        return true;
    }

    @Override
    public boolean signals() {
        return true;
    }

    @Override
    public void arm() {
        // The channel signals the key when the connect is decided.
    }

    @Override
    public void cancelInner() {
        // There is no inner key.
    }

    @Override
    public void detached() {
        // Nothing was registered.
    }
}
