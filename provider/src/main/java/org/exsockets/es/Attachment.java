package org.exsockets.es;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.observe.Log;
import org.exsockets.progress.ProgressThread;

/** That one queue polls one source. As a {@link Runnable} it tells the queue to look. */
final class Attachment implements Runnable {
    final PolledEventQueue queue;
    final Pollable source;

    /**
     * Whether the queue polls the source, instead of waiting to be woken by it. The dequeuing thread stores false before
     * it asks the source to wake it; who starts an operation does so before it looks here, both under the source's lock:
     * either the operation is seen when the wake-up is asked for, or its starter makes the source hot again.
     */
    volatile boolean hot;

    /** Whether it waits in the queue's changes. Set by any thread, cleared by the dequeuing one before it looks. */
    volatile boolean changed;

    /** Looks in a row that found nothing; −1: look in any case. The dequeuing thread's. */
    int idleLooks;

    /** Channels that the background thread watches for this; each is watched once until it has fired. */
    private final AtomicInteger watched = new AtomicInteger();

    private final Runnable onWatched = this::watchedIsReady;

    Attachment(PolledEventQueue queue, Pollable source) {
        this.queue = queue;
        this.source = source;
    }

    @Override
    public void run() {
        queue.heat(this);
    }

    /** Dequeuing thread: registers the channels, or brings their keys in line with what is waited for. */
    void register(Selector selector) {
        source.channels((channel, ops) -> register(selector, channel, ops));
    }

    private void register(Selector selector, SelectableChannel channel, int ops) {
        try {
            SelectionKey key = channel.keyFor(selector);
            if (key == null) {
                channel.register(selector, ops, this);
            } else if (key.interestOps() != ops) {
                key.interestOps(ops);
            }
        } catch (ClosedChannelException | CancelledKeyException ended) {
            Log.debug("event queue: nothing more comes from a channel: " + ended); // Working on the source shows how.
        }
    }

    /** Dequeuing thread: lets go of the channels. */
    void deregister(Selector selector) {
        source.channels((channel, ops) -> {
            SelectionKey key = channel.keyFor(selector);
            if (key != null) {
                key.cancel();
            }
        });
    }

    /** Has the background thread look after the channels for the queue, until one of them is ready. */
    void watch(ProgressThread thread) {
        if (watched.compareAndSet(0, 1)) {
            source.channels((channel, ops) -> {
                if (ops != 0) {
                    watched.incrementAndGet();
                    thread.watch(channel, ops, onWatched);
                }
            });
            watched.decrementAndGet();
        }
    }

    private void watchedIsReady() {
        watched.decrementAndGet();
        queue.lookInBackground();
    }
}
