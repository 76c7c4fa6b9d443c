package org.exsockets.es;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.observe.Log;
import org.exsockets.progress.HotSet;
import org.exsockets.progress.ProgressThread;

/** That one queue polls one source. As a {@link Runnable} it tells the queue to look. */
final class Attachment implements Runnable, HotSet.Member {
    final PolledEventQueue queue;
    final Pollable source;

    /**
     * Where the queue polls the source, instead of waiting to be woken by it. The dequeuing thread stores that it is nowhere before
     * it asks the source to wake it; who starts an operation does so before it looks here, both under the source's lock:
     * either the operation is seen when the wake-up is asked for, or its starter makes the source hot again.
     */
    private volatile int place = NOWHERE;

    /** Whether it waits in the queue's changes. Set by any thread, cleared by the dequeuing one before it looks. */
    volatile boolean changed;

    /** Looks in a row that found nothing; −1: look in any case. The dequeuing thread's. */
    int idleLooks;

    /** What the background thread has been asked to watch for this. The dequeuing thread's. */
    private final Map<SelectableChannel, Watch> watches = new HashMap<>(2);

    Attachment(PolledEventQueue queue, Pollable source) {
        this.queue = queue;
        this.source = source;
    }

    @Override
    public void run() {
        queue.heat(this);
    }

    /** {@return whether the queue polls the source; any thread} */
    boolean isHot() {
        return place >= 0;
    }

    @Override
    public int place() {
        return place;
    }

    @Override
    public void place(int where) {
        place = where;
    }

    @Override
    public boolean hasNews() {
        return source.hasNews();
    }

    @Override
    public void anticipate() {
        source.anticipate();
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

    /** Dequeuing thread: has the background thread look after the channels for the queue, each until it is ready. */
    void watch(ProgressThread thread) {
        source.channels((channel, ops) -> {
            if (ops != 0) {
                watch(thread, channel, ops);
            }
        });
    }

    private void watch(ProgressThread thread, SelectableChannel channel, int ops) {
        Watch known = watches.get(channel);
        if (known == null) {
            known = new Watch();
            watches.put(channel, known);
        }
        known.extend(thread, channel, ops);
    }

    /**
     * That the background thread watches one channel, for one of its operations to be ready. While it does it is asked again
     * only for more of them: a queue that is asked for many notifications has its quiet sockets watched once.
     */
    private final class Watch implements Runnable {
        /**
         * For what; 0 if not. The background thread stores 0 before it has the queue look, which then asks again: so nothing
         * is lost that an earlier look has found covered. An extension that crosses that is a watch too many.
         */
        private final AtomicInteger watched = new AtomicInteger();

        void extend(ProgressThread thread, SelectableChannel channel, int ops) {
            int before = watched.getAndUpdate(known -> known | ops);
            if ((ops & ~before) != 0) {
                thread.watch(channel, before | ops, this);
            }
        }

        @Override
        public void run() {
            watched.set(0);
            queue.lookInBackground();
        }
    }
}
