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
import org.jspecify.annotations.Nullable;

/** What a group waits for: readiness and time. The leader selects; any thread wakes it. */
final class GroupSelector {
    /** What a key is attached to. */
    interface Registered {
        /** Leader: the selector reports {@code ops} of {@code key}; handlers to run go to {@code completed}. */
        void onReady(SelectionKey key, int ops, List<Runnable> completed);
    }

    /** What is ready stays ready for the leader. */
    private static final Consumer<SelectionKey> IGNORE = key -> {};

    private static final long FLUSH_LIMIT_NS = 20_000;

    final Selector inner;
    final Timers timers = new Timers();
    private final Consumer<SelectionKey> onReady = this::onReady;

    /** Leader, during a selection; null otherwise. */
    private @Nullable List<Runnable> completed;

    /** The leader, during a selection; null otherwise. */
    private volatile @Nullable Thread selecting;

    /**
     * Threads that want to select in between. Each counts itself, then wakes the leader. The leader looks here before
     * each selection; if it had looked too early, the wake-up ends its selection at once.
     */
    private final AtomicInteger flushing = new AtomicInteger();

    /** Used by the leader, see {@link #afterSelection}. */
    private final List<Runnable> afterwards = new ArrayList<>(0);

    /** Takes over {@code selector}. */
    GroupSelector(Selector selector) {
        this.inner = selector;
    }

    /** Completes what has become possible or timed out; waits, unless {@code now}. @param found gets the handlers */
    void select(boolean now, List<Runnable> found) {
        boolean flushed = flushing.get() == 0 || awaitFlushed();
        completed = found;
        selecting = Thread.currentThread();
        long remainingMs = now || !flushed ? 0 : timers.remainingMs();
        try {
            if (remainingMs == 0) {
                inner.selectNow(onReady);
            } else {
                inner.select(onReady, Math.max(0, remainingMs));
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
     * Waits for those of {@link #flushing}, but not for long: a virtual thread may wait for its carrier.
     *
     * @return whether there are none any more
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

    /** Leader, during a selection: runs {@code task} after it, when keys can be removed. */
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
                Log.error("channel group", e); // The other tasks must run, too.
            }
        }
    }

    /** Removes cancelled keys. Any thread; during its own selection the next one does it. */
    void flush() {
        if (selecting == Thread.currentThread()) {
            return;
        }
        flushing.incrementAndGet();
        try {
            inner.wakeup();
            inner.selectNow(IGNORE);
        } catch (IOException e) {
            Log.warnOnce("channel group", "channel group: selection failed: " + e);
        } catch (ClosedSelectorException gone) {
            // The group has ended; no key is left.
        } finally {
            flushing.decrementAndGet();
        }
        inner.wakeup(); // This may have used up a wake-up for the leader.
    }

    @SuppressWarnings("NullAway") // During a selection.
    private void onReady(SelectionKey key) {
        int ops;
        try {
            ops = key.readyOps();
        } catch (CancelledKeyException closedMeanwhile) {
            return;
        }
        ((Registered) key.attachment()).onReady(key, ops, completed);
    }

    void close() {
        try {
            inner.close();
        } catch (IOException e) {
            Log.debug("channel group: selector: close failed: " + e);
        }
    }
}
