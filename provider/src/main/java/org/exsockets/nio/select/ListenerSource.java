package org.exsockets.nio.select;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.exsockets.rendezvous.AcceptSources;
import org.exsockets.rendezvous.Acceptor;
import org.jspecify.annotations.Nullable;

/**
 * A listener on TCP and on devices behind one key. Its readiness shows in the inner selector. While the selection
 * sleeps on the word of the sign, the background thread reports that the inner selector may have news.
 */
public final class ListenerSource implements KeySource, Runnable {
    private final SelectableChannel[] channels;

    /** One for each of {@link #channels}, null until registered. The selecting thread stores; any thread may cancel. */
    private final AtomicReferenceArray<@Nullable SelectionKey> keys;

    private final Acceptor<?> acceptor;
    private final AcceptSources sources;
    private final KeySelector selector;
    private final ExsKey key;

    /** The key is selected for accepting. Selecting thread. */
    private boolean wanted;

    public ListenerSource(Acceptor<?> acceptor, KeySelector selector, ExsKey key) {
        this.acceptor = acceptor;
        this.sources = acceptor.sources();
        this.channels = sources.channels();
        this.keys = new AtomicReferenceArray<>(channels.length);
        this.selector = selector;
        this.key = key;
        sources.addSignal(this);
    }

    /** The background thread, or a late hand-shake, reports news. */
    @Override
    public void run() {
        selector.onRung(key);
    }

    @Override
    public void update(Selector inner, ExsKey same) {
        wanted = key.selectedFor != 0;
        for (int i = 0; i < channels.length; i++) {
            int ops = !wanted ? 0 : AcceptSources.acceptOps(channels[i]);
            keys.set(i, update(keys.get(i), channels[i], inner, ops));
        }
    }

    private @Nullable SelectionKey update(
            @Nullable SelectionKey known, SelectableChannel channel, Selector inner, int ops) {
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
        return acceptor.confirmReady(ready.channel()) ? SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    public boolean showsInInner() {
        return true;
    }

    @Override
    public int poll(int interest) {
        return sources.hasLate() ? interest & SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    public boolean hasNews() {
        return sources.hasLate();
    }

    @Override
    public boolean wakesOnWord() {
        return true;
    }

    @Override
    public boolean signals() {
        return true; // The background thread does, and so do late hand-shakes.
    }

    @Override
    public void watch() throws IOException {
        if (wanted) {
            sources.watch();
        }
    }

    @Override
    public void cancelInner() {
        for (int i = 0; i < channels.length; i++) {
            SelectionKey known = keys.get(i);
            if (known != null) {
                known.cancel();
            }
        }
    }

    @Override
    public void detached() {
        sources.removeSignal(this);
    }
}
