package org.exsockets.waiting;

import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.Set;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.verbs.WakeWord;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread at a time sleeps on a wake word. Takes no descriptor.
 *
 * <p>It is a selector for one reason: {@link #begin} and {@link #end}, between which an interrupt of the thread calls
 * {@link #wakeup} (JDK contract of {@link AbstractSelector}). No channel can be registered with it.
 */
public final class WordPlace extends AbstractSelector {
    /** Guarded by the place. Null once its sleepers have left: a late wake-up must not touch freed memory. */
    private @Nullable WakeWord word;

    /**
     * The sleeper has been woken. Set before the word is cleared, and read after the word has been armed. So either the
     * sleeper sees this, or the kernel sees that the word has changed.
     */
    private volatile boolean woken;

    public WordPlace(WakeWord word) {
        super(JdkChannels.provider());
        this.word = word;
    }

    /**
     * Sleeps until the word is cleared, {@link #wakeup}, interrupt or time-out; may return for no reason. The caller has
     * armed the word, and then checked its condition.
     *
     * @param timeoutNs > 0
     * @return as {@link WakeWord#sleep}
     */
    public boolean sleep(long timeoutNs) {
        WakeWord on = word();
        begin();
        try {
            return woken || on.sleep(timeoutNs);
        } finally {
            end();
            woken = false; // Before the sleeper checks again: it then sees the reason.
        }
    }

    @SuppressWarnings("NullAway") // The caller has not left.
    private synchronized WakeWord word() {
        return word;
    }

    @Override
    public synchronized WordPlace wakeup() {
        woken = true;
        if (word != null) {
            word.wake();
        }
        return this;
    }

    /** No thread sleeps here any more. */
    public synchronized void leave() {
        word = null;
    }

    // The other methods of a selector.

    @Override
    protected void implCloseSelector() {
        // There is nothing to give back.
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SelectionKey> keys() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int selectNow() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select(long timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select() {
        throw new UnsupportedOperationException();
    }
}
