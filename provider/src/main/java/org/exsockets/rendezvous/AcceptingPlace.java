package org.exsockets.rendezvous;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.waiting.Deadline;
import org.exsockets.waiting.ProgressThread;
import org.jspecify.annotations.Nullable;

/**
 * Where an accepting thread sleeps: a platform thread in a selector of its own; a virtual thread parks, and {@link
 * ProgressThread} wakes it. One thread at a time, the holder of the {@link Acceptor}'s lock, {@link #enter}s, looks once
 * more, {@link #sleep}s and {@link #leave}s. Any thread watches, wakes and closes.
 */
final class AcceptingPlace implements Runnable {
    private static final long NS_PER_MS = 1_000_000;

    private final SelectableChannel tcp;
    private final Consumer<SelectionKey> onSelected;
    private final Runnable onArrival;

    /** The background thread watches all channels. Set before it is asked; it clears this before it wakes threads. */
    private volatile boolean watching;

    private volatile @Nullable Thread waiting;
    private volatile boolean closed;

    /**
     * An accept on its way to sleep hands {@link #tcp} to a selector or to the background thread under this lock:
     * either {@link #close} takes it back there, or it is not handed over. Held for moments, never in a wait.
     */
    private final ReentrantLock handOver = new ReentrantLock();

    /** Written under the acceptor's lock and {@link #handOver}. */
    private volatile @Nullable Selector selector;

    /** The background thread may have, or get, a key of {@link #tcp}. */
    @GuardedBy("handOver")
    private boolean watched;

    /** @param onSelected in the accepting thread @param onArrival in the background, if a watched channel is ready */
    AcceptingPlace(SelectableChannel tcp, Consumer<SelectionKey> onSelected, Runnable onArrival) {
        this.tcp = tcp;
        this.onSelected = onSelected;
        this.onArrival = onArrival;
    }

    /** {@return whether {@link #shut} has been called; any thread} */
    boolean isClosed() {
        return closed;
    }

    /** The accepting thread asks which channels are ready, without waiting. */
    void look(DeviceListener[] listeners) throws IOException {
        openSelector(listeners).selectNow(onSelected);
    }

    /** The accepting thread is about to sleep: from now on it is woken. */
    void enter(DeviceListener[] listeners) throws IOException {
        waiting = Thread.currentThread();
        if (Threads.currentIsVirtual()) {
            watch(listeners);
        } else {
            openSelector(listeners);
        }
    }

    /** Sleeps until a channel is ready, the thread is woken, or the deadline. May return early. */
    @SuppressWarnings("NullAway") // The selector has been opened to enter.
    void sleep(Deadline deadline) throws IOException {
        if (Threads.currentIsVirtual()) {
            LockSupport.parkNanos(this, deadline.remainingNs());
        } else {
            selector.select(onSelected, Math.max(1, deadline.remainingNs() / NS_PER_MS));
        }
    }

    /** The accepting thread does not sleep any more. */
    void leave() {
        waiting = null;
    }

    /** @see Acceptor#watch */
    void watch(DeviceListener[] listeners) throws IOException {
        ProgressThread thread = ProgressThread.get();
        if (watching) {
            return;
        }
        watching = true;
        boolean asked = false;
        try {
            watchTcp(thread);
            for (DeviceListener listener : listeners) {
                SelectableChannel device = listener.selectable();
                if (device.isOpen()) { // Otherwise the next accept drops it.
                    thread.watch(device, acceptOps(device), this);
                }
            }
            asked = true;
        } finally {
            if (!asked) {
                watching = false; // For lack of memory or descriptors: the next call asks again.
            }
        }
    }

    private void watchTcp(ProgressThread thread) {
        handOver.lock();
        try {
            if (!closed) {
                watched = true;
                thread.watch(tcp, acceptOps(tcp), this);
            }
        } finally {
            handOver.unlock();
        }
    }

    /** Background thread: one of the channels that it watches is ready. */
    @Override
    public void run() {
        watching = false;
        onArrival.run();
    }

    /** @see Acceptor#acceptOps */
    static int acceptOps(SelectableChannel channel) {
        return channel.validOps() & (SelectionKey.OP_ACCEPT | SelectionKey.OP_READ);
    }

    private Selector openSelector(DeviceListener[] listeners) throws IOException {
        Selector open = selector;
        return open == null ? newSelector(listeners) : open;
    }

    private Selector newSelector(DeviceListener[] listeners) throws IOException {
        handOver.lock();
        try {
            if (closed) {
                throw new ClosedSelectorException();
            }
            Selector opened = JdkChannels.openSelector();
            try {
                tcp.register(opened, acceptOps(tcp));
                for (DeviceListener listener : listeners) {
                    register(listener.selectable(), opened);
                }
                selector = opened;
                return opened;
            } finally {
                if (selector != opened) {
                    close(opened);
                }
            }
        } finally {
            handOver.unlock();
        }
    }

    private static void register(SelectableChannel device, Selector opened) {
        try {
            device.register(opened, acceptOps(device));
        } catch (ClosedChannelException gone) {
            // The device went away; the next look at its listener finds out.
            Log.debug("acceptor: a device's listener was closed: " + gone);
        }
    }

    /** Makes a waiting thread look again. Any thread. */
    void wakeAll() {
        LockSupport.unpark(waiting);
        Selector open = selector;
        if (open != null) {
            open.wakeup();
        }
    }

    /** No thread goes to sleep from now on. {@link #close} must follow. */
    void shut() {
        closed = true;
    }

    /** Wakes the waiting thread, and takes the TCP channel back. Idempotent. */
    void close() {
        wakeAll();
        Selector open;
        boolean forget;
        handOver.lock();
        try {
            open = selector;
            forget = watched;
        } finally {
            handOver.unlock();
        }
        if (open != null) {
            close(open);
        }
        if (forget) {
            ProgressThread.forget(tcp);
        }
        ProgressThread.flushClosed();
    }

    /** Waits for a thread that selects, which leaves at once. */
    private static void close(Selector open) {
        try {
            open.close();
        } catch (IOException e) {
            Log.debug("acceptor: close failed: " + e.getMessage());
        }
    }
}
