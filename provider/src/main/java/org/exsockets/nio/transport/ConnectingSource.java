package org.exsockets.nio.transport;

import org.exsockets.nio.select.ChannelKeys;
import org.exsockets.nio.select.KeySource;

/**
 * A channel whose connect is under way in the background: no descriptor shows its progress, but the channel signals the
 * key when the connect is decided.
 */
public record ConnectingSource(TransportDecision decision, ChannelKeys keys) implements KeySource {
    @Override
    public int poll(int interest) {
        if (!decision.canFinishConnect()) {
            if (decision.pendingTarget() == null) {
                keys.signal(); // The thread that decides is about to: a descriptor shows the progress from now on.
            }
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
}
