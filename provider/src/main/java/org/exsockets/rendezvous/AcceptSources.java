package org.exsockets.rendezvous;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Described;
import org.exsockets.observe.Description;
import org.exsockets.observe.Log;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.waiting.Deadline;
import org.exsockets.waiting.ProgressThread;
import org.jspecify.annotations.Nullable;

/**
 * Where a listener's connections come in, and how threads wait for one: the channels are for a selector of the program
 * or a queue of the ES-API, which {@link #watch} and signals tell of more. The accepting thread, the holder of the {@link
 * Acceptor}'s lock, looks and sleeps here: a platform thread in a selector made for it; a virtual thread parks, and
 * {@link ProgressThread} wakes it. Any thread watches, wakes and closes.
 */
public final class AcceptSources implements Runnable, Described {
    /** TCP or a device. */
    static final class Source {
        final SelectableChannel channel;

        /** Null: it is TCP. */
        final @Nullable DeviceListener device;

        /** A connection has been seen, and none asked for since. The accepting thread's. */
        boolean seen;

        Source(SelectableChannel channel, @Nullable DeviceListener device) {
            this.channel = channel;
            this.device = device;
        }

        /** {@return whether a connection has been seen, or shows without a system call} */
        boolean isSeen() {
            return seen |= device != null && (device.hasArrivals() || device.hasLate());
        }
    }

    private static final long NS_PER_MS = 1_000_000;

    private static final Consumer<SelectionKey> SEEN = new Consumer<>() {
        @Override
        public void accept(SelectionKey key) {
            ((Source) key.attachment()).seen = true;
        }
    };

    /** Those of this JVM that are reached over EXS, until they are closed. */
    private static final Set<Described> LIVE = ConcurrentHashMap.newKeySet();

    /** TCP first. Shrinks when a device's listener breaks: the accepting thread writes. */
    private volatile Source[] all;

    private final CopyOnWriteArrayList<Runnable> signals = new CopyOnWriteArrayList<>();

    /** The background thread watches all channels. Set before it is asked; it clears this before it wakes threads. */
    private volatile boolean watching;

    private volatile @Nullable Thread waiting;
    private volatile boolean closed;

    /**
     * A thread hands the channels to a selector or to the background thread under this lock: either {@link #close} takes
     * TCP's back there, or it is not handed over. Held for moments, never in a wait.
     */
    private final ReentrantLock handOver = new ReentrantLock();

    /** Written under {@link #handOver} by the accepting thread. */
    private volatile @Nullable Selector selector;

    /** The background thread may have, or get, a key of TCP's channel. */
    @GuardedBy("handOver")
    private boolean watched;

    /** @see Acceptor#Acceptor */
    AcceptSources(SelectableChannel tcp, List<DeviceListener> listeners) {
        all = new Source[listeners.size() + 1];
        all[0] = new Source(tcp, null);
        for (int i = 1; i < all.length; i++) {
            DeviceListener listener = listeners.get(i - 1);
            all[i] = new Source(listener.selectable(), listener);
        }
        for (DeviceListener listener : listeners) {
            listener.attend(ProgressThread.background(), this);
        }
        LIVE.add(this);
    }

    /** {@return the listeners of this JVM that are reached over EXS} Any thread. */
    public static List<Described> live() {
        return List.copyOf(LIVE);
    }

    @Override
    public void describe(Description into) {
        Source[] now = all;
        StringJoiner devices = new StringJoiner(",");
        for (Source source : now) {
            if (source.device != null) {
                devices.add(source.device.device());
            }
        }
        DeviceListener first = now.length > 1 ? now[1].device : null;
        into.put("state", "LISTEN");
        into.put("local", Description.address(first == null ? null : first.localAddress()));
        into.put("device", devices.toString());
    }

    Source[] all() {
        return all;
    }

    /** {@return the channels, TCP's first, each ready for its {@link #acceptOps} while connections wait there} */
    public SelectableChannel[] channels() {
        Source[] now = all;
        SelectableChannel[] channels = new SelectableChannel[now.length];
        for (int i = 0; i < now.length; i++) {
            channels[i] = now[i].channel;
        }
        return channels;
    }

    /** {@return the operations for which {@code channel}, listening or not, is ready while connections wait there} */
    public static int acceptOps(SelectableChannel channel) {
        return channel.validOps() & (SelectionKey.OP_ACCEPT | SelectionKey.OP_READ);
    }

    /** {@return whether an accept would return at once, as far as late hand-shakes go} */
    public boolean hasLate() {
        for (Source source : all) {
            if (source.device != null && source.device.hasLate()) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a connection has been seen anywhere, or shows without a system call} Accepting thread. */
    boolean anySeen() {
        boolean any = false;
        for (Source source : all) {
            any |= source.isSeen();
        }
        return any;
    }

    /** {@return whether some device shows connections soon enough to spin on it} */
    boolean anyTells() {
        for (Source source : all) {
            if (source.device != null && source.device.tellsArrivals()) {
                return true;
            }
        }
        return false;
    }

    /** Goes on without a source. Accepting thread. */
    void drop(Source broken) {
        all = Arrays.stream(all).filter(each -> each != broken).toArray(Source[]::new);
    }

    /** Has {@code signal} run whenever {@link #hasLate} becomes true, and after {@link #watch}; it must not block. */
    public void addSignal(Runnable signal) {
        signals.add(signal);
    }

    /** Takes back {@link #addSignal}. */
    public void removeSignal(Runnable signal) {
        signals.remove(signal);
    }

    /** The accepting thread asks which channels are ready, without waiting. */
    void look() throws IOException {
        openSelector().selectNow(SEEN);
    }

    /** The accepting thread sleeps until a channel is ready, it is woken, or the deadline. May return early. */
    void sleep(Deadline deadline) throws IOException {
        boolean virtual = Threads.currentIsVirtual();
        waiting = Thread.currentThread(); // From now on it is woken.
        try {
            Selector in = virtual ? null : openSelector();
            if (virtual) {
                watch();
            }
            if (closed || hasLate() || deadline.interrupted()) {
                return;
            }
            if (in == null) {
                LockSupport.parkNanos(this, deadline.remainingNs());
            } else {
                in.select(SEEN, Math.max(1, deadline.remainingNs() / NS_PER_MS));
            }
        } finally {
            waiting = null;
        }
    }

    /**
     * Makes the background thread wake the accepting thread and run the signals ({@link #addSignal}), once, when there
     * may be a connection. Any thread.
     *
     * @throws IOException if there is no background thread
     */
    public void watch() throws IOException {
        ProgressThread thread = ProgressThread.get();
        if (watching) {
            return;
        }
        handOver.lock();
        try {
            watching = true;
            watched |= !closed;
            for (Source source : all) {
                if (!closed && source.channel.isOpen()) { // Otherwise the next accept drops it.
                    thread.watch(source.channel, acceptOps(source.channel), this);
                }
            }
        } catch (RuntimeException | Error e) {
            watching = false; // For lack of memory or descriptors: the next call asks again.
            throw e;
        } finally {
            handOver.unlock();
        }
    }

    /** A watched channel is ready, or a hand-shake was completed late. */
    @Override
    public void run() {
        watching = false;
        wake();
        for (Runnable signal : signals) {
            signal.run();
        }
    }

    private void wake() {
        LockSupport.unpark(waiting);
        Selector open = selector;
        if (open != null) {
            open.wakeup();
        }
    }

    private Selector openSelector() throws IOException {
        Selector open = selector;
        return open == null ? newSelector() : open;
    }

    private Selector newSelector() throws IOException {
        handOver.lock();
        try {
            if (closed) {
                throw new ClosedSelectorException();
            }
            Selector opened = JdkChannels.openSelector();
            try {
                for (Source source : all) {
                    register(source, opened);
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

    private static void register(Source source, Selector opened) {
        try {
            source.channel.register(opened, acceptOps(source.channel), source);
        } catch (ClosedChannelException gone) {
            // The device went away; the next look at its listener finds out.
            Log.debug("acceptor: a device's listener was closed: " + gone);
        }
    }

    /** {@return whether {@link #close} has begun; any thread} */
    boolean isClosed() {
        return closed;
    }

    /** Closes the devices' listeners, wakes the accepting thread, and takes TCP's channel back. Idempotent. */
    void close() {
        closed = true;
        LIVE.remove(this);
        for (Source source : all) {
            if (source.device != null) {
                source.device.close();
            }
        }
        wake();
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
            ProgressThread.forget(all[0].channel);
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
