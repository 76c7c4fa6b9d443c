package org.exsockets.progress;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.verbs.CompletionChannel;

/**
 * Threads that sleep until something happens on one connection: at most one reader and one writer.
 *
 * <p>One of them, the leader, sleeps in a {@link SleepingPlace} on the completion channel; the other parks. Two threads must not
 * both sleep on the channel: the one that is woken first takes the event, and the other, about to sleep, would miss
 * what the event was for. So whoever takes an event unparks everybody, and a leader that leaves unparks the other, who
 * then leads. Virtual threads never lead; for them, and when there is no descriptor for one, {@link ProgressThread} does.
 *
 * <p>Waking is never lost: a thread first enters its slot, then looks at its condition, then sleeps; wake-ups that come
 * in between make the sleep return at once (both {@link SleepingPlace#wake} and unpark are sticky).
 */
public final class Waiters {
    /** Whose threads sleep. */
    public interface Sleepers {
        /**
         * Arms the completion queue, then tells whether the thread in {@code slot} need not sleep. Must not park: that
         * would use up the permit with which the sleep is ended.
         */
        boolean armAndCheck(int slot);

        /** Gets the bits of {@link CompletionChannel#drain()} whenever they are not 0; must not block. */
        void onEvent(int bits);
    }

    /** Slot of the reading thread. */
    public static final int READER = 0;

    /** Slot of the writing thread. */
    public static final int WRITER = 1;

    private static final Object PROGRESS_THREAD = new Object();

    /** Makes {@link #place}. */
    @FunctionalInterface
    interface Places {
        SleepingPlace of(SelectableChannel channel) throws IOException;
    }

    private final CompletionChannel channel;
    private final Sleepers sleepers;
    private final Places places;
    private volatile Thread reader;
    private volatile Thread writer;

    /** The thread in {@link #selector}, or {@link #PROGRESS_THREAD}, or null. */
    private final AtomicReference<Object> leader = new AtomicReference<>();

    /** Opened by the first leader and kept; only the leader sleeps in it. */
    private volatile SleepingPlace place;

    public Waiters(CompletionChannel channel, Sleepers sleepers) {
        this(channel, sleepers, Waiters::bestPlace);
    }

    Waiters(CompletionChannel channel, Sleepers sleepers, Places places) {
        this.channel = channel;
        this.sleepers = sleepers;
        this.places = places;
    }

    private static SleepingPlace bestPlace(SelectableChannel channel) throws IOException {
        SleepingPlace polled = PolledPlace.of(channel);
        return polled != null ? polled : SelectedPlace.of(channel);
    }

    /**
     * Sleeps until an event, {@link #wakeAll}, interrupt or time-out; may return for no reason. One thread per slot.
     *
     * @param timeoutNs > 0
     */
    public void sleep(int slot, long timeoutNs) {
        Thread self = Thread.currentThread();
        setSlot(slot, self);
        boolean leading = false;
        try {
            leading = !Threads.currentIsVirtual() && leader.compareAndSet(null, self) && openPlace();
            if (!leading) {
                followSomebody();
            }
            if (sleepers.armAndCheck(slot)) {
                return;
            }
            if (leading) {
                if (place.sleep(timeoutNs)) {
                    take();
                }
            } else {
                LockSupport.parkNanos(this, timeoutNs);
            }
        } catch (IOException e) {
            throw new IllegalStateException("wait: sleeping failed", e);
        } finally {
            setSlot(slot, null);
            if (leading) {
                leader.set(null);
                unpark(slot == READER ? writer : reader);
            }
        }
    }

    private void setSlot(int slot, Thread thread) {
        if (slot == READER) {
            reader = thread;
        } else {
            writer = thread;
        }
    }

    private boolean openPlace() {
        if (place != null) {
            return true;
        }
        try {
            place = places.of(channel.selectable());
            return true;
        } catch (ClosedChannelException disconnected) {
            // Whoever closed it has set what the sleeper looks at.
        } catch (IOException e) {
            Log.warnOnce("waiters-selector", "no descriptors left to sleep on, exs-progress wakes threads: " + e);
        }
        leader.set(null);
        return false;
    }

    private void followSomebody() {
        if (leader.compareAndSet(null, PROGRESS_THREAD)) {
            try {
                ProgressThread.get().watch(channel.selectable(), SelectionKey.OP_READ, this::onProgressThread);
            } catch (IOException e) {
                leader.set(null);
                throw new IllegalStateException("wait: no descriptors left to sleep on", e);
            }
        }
    }

    private void onProgressThread() {
        leader.compareAndSet(PROGRESS_THREAD, null);
        take();
        unpark(reader);
        unpark(writer);
    }

    /** Takes what has happened on the channel, for everybody. */
    private void take() {
        int events = channel.drain();
        if (events != 0) {
            sleepers.onEvent(events);
            unpark(reader);
            unpark(writer);
        }
    }

    /** Makes every sleeper return. */
    public void wakeAll() {
        unpark(reader);
        unpark(writer);
        SleepingPlace open = place;
        if (open != null && leader.get() instanceof Thread) {
            open.wake();
        }
    }

    private static void unpark(Thread thread) {
        if (thread != null && thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
        }
    }

    /** Gives back what was slept in. No thread sleeps any more, and none will. */
    public void close() {
        SleepingPlace open = place;
        if (open != null) {
            open.leave();
        }
    }
}
