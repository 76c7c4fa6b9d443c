package org.exsockets.es.queue;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.observe.Log;
import org.exsockets.waiting.HotSet;
import org.exsockets.waiting.ProgressThread;

/** One queue's polling of one source. {@link #run} makes the queue look. */
public final class Attachment implements Runnable, HotSet.Member {
    public final PolledEventQueue queue;

    final Pollable source;

    /**
     * The source's place in the queue's hot set; NOWHERE while the queue waits for a wake-up. The dequeuing thread
     * stores NOWHERE, then asks the source for the wake-up. A starting thread adds its operation, then looks here.
     * Asking and starting are both under the source's lock: either the operation is seen by the request, or the
     * starting thread makes the source hot again.
     */
    private volatile int place = NOWHERE;

    /** Whether this is in the queue's changes. Any thread sets it; the dequeuing thread clears it before it looks. */
    volatile boolean changed;

    /** Looks in a row that found nothing; −1: look in any case. Used by the dequeuing thread. */
    int idleLooks;

    /** What the background thread has been asked to watch. Used by the dequeuing thread. */
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
    public boolean isHot() {
        return place >= 0;
    }

    /** {@return whether the queue looks at the source soon, even if nothing happens; any thread} */
    public boolean looksSoon() {
        return place >= 0 || changed;
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
        return source.polling().hasNews();
    }

    /** Dequeuing thread: registers the channels, or makes their keys wait for what is wanted now. */
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
            Log.debug("event queue: nothing more comes from a channel: " + ended); // Work on the source finds why.
        }
    }

    /** Dequeuing thread: cancels the keys of the channels. */
    void deregister(Selector selector) {
        source.channels((channel, ops) -> {
            SelectionKey key = channel.keyFor(selector);
            if (key != null) {
                key.cancel();
            }
        });
    }

    /** Dequeuing thread: has the background thread watch each channel until it is ready. */
    void watch(ProgressThread thread) {
        source.channels((channel, ops) -> {
            if (ops != 0) {
                watches.computeIfAbsent(channel, any -> new Watch()).extend(thread, channel, ops);
            }
        });
    }

    /**
     * The background thread's watch of one channel, until one of the wanted operations is ready. Meanwhile it is asked
     * again only for further operations: with many requests for notification a quiet socket is watched once.
     */
    private final class Watch implements Runnable {
        /**
         * The operations watched for; 0: none. The background thread stores 0, then makes the queue look and ask again.
         * So no operation is missed that an earlier look found watched. An extension meanwhile costs a watch.
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
