package org.exsockets.aio;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.exsockets.observe.Log;

/** What a group waits for: readiness and time. The leader selects; any thread wakes it. */
final class GroupSelector {
    /** What is ready stays ready for the leader. */
    private static final Consumer<SelectionKey> IGNORE = key -> {};

    private static final long FLUSH_LIMIT_NS = 20_000;

    private final Selector selector;
    private final Timers timers = new Timers();
    private final Consumer<SelectionKey> onReady = this::onReady;

    /** Leader, during a selection. */
    private Completed completed;

    /** The leader, during a selection. */
    private volatile Thread selecting;

    /**
     * Threads that want a turn in the selector. They count themselves, then wake the leader; the leader looks here before
     * each selection, and one that had looked earlier comes back at once, being woken.
     */
    private final AtomicInteger flushing = new AtomicInteger();

    /** The leader's, see {@link #afterSelection}. */
    private final List<Runnable> afterwards = new ArrayList<>(0);

    /** Takes over {@code selector}. */
    GroupSelector(Selector selector) {
        this.selector = selector;
    }

    Selector selector() {
        return selector;
    }

    Timers timers() {
        return timers;
    }

    /**
     * Completes what has become possible, and what is over; waits for it, unless told otherwise.
     *
     * @param found gets the handlers to run
     */
    void select(boolean now, Completed found) {
        boolean flushed = flushing.get() == 0 || awaitFlushed();
        completed = found;
        selecting = Thread.currentThread();
        long remainingMs = now || !flushed ? 0 : timers.remainingMs();
        try {
            if (remainingMs == 0) {
                selector.selectNow(onReady);
            } else {
                selector.select(onReady, Math.max(0, remainingMs));
            }
        } catch (IOException e) {
            Log.warnOnce("channel group", "channel group: selection failed: " + e);
        } catch (ClosedSelectorException e) {
            throw new IllegalStateException("channel group: its selector is closed while channels are open", e);
        } finally {
            selecting = null;
            completed = null;
        }
        if (!afterwards.isEmpty()) {
            runAfterwards();
        }
        timers.expire(found);
    }

    /**
     * For their selection without waiting. Not for long: one that is a virtual thread may wait for its carrier.
     *
     * @return whether nobody wants a turn any more
     */
    private boolean awaitFlushed() {
        long startNs = System.nanoTime();
        while (flushing.get() > 0) {
            if (System.nanoTime() - startNs > FLUSH_LIMIT_NS) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    /** Leader, in the midst of a selection: has {@code task} run at the end of it, when keys can be let go. */
    void afterSelection(Runnable task) {
        afterwards.add(task);
    }

    private void runAfterwards() {
        List<Runnable> all = List.copyOf(afterwards);
        afterwards.clear();
        for (Runnable each : all) {
            try {
                each.run();
            } catch (RuntimeException | Error e) {
                Log.error("channel group: " + e, e); // Others must be told all the same.
            }
        }
    }

    /** Has cancelled keys let go. Any thread; in the midst of a selection, the next one does it. */
    void flush() {
        if (selecting == Thread.currentThread()) {
            return;
        }
        flushing.incrementAndGet();
        try {
            selector.wakeup();
            selector.selectNow(IGNORE);
        } catch (IOException e) {
            Log.warnOnce("channel group", "channel group: selection failed: " + e);
        } catch (ClosedSelectorException gone) {
            // With the group; it has let go of everything.
        } finally {
            flushing.decrementAndGet();
        }
        selector.wakeup(); // The one that was meant for the leader may have been ours.
    }

    private void onReady(SelectionKey key) {
        int ops;
        try {
            ops = key.readyOps();
        } catch (CancelledKeyException closedMeanwhile) {
            return;
        }
        ((Registration) key.attachment()).onReady(ops, completed);
    }

    void wakeup() {
        selector.wakeup();
    }

    void close() {
        try {
            selector.close();
        } catch (IOException e) {
            Log.debug("channel group: selector: close failed: " + e);
        }
    }
}
