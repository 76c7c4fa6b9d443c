package org.exsockets.socket;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.progress.ProgressThread;
import org.exsockets.rendezvous.Rendezvous;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;

/**
 * Accepts from a TCP listener and a device's listener, whichever has a connection first.
 *
 * <p>Waiting threads are served one at a time under {@link #acceptLock}, in the order of the lock. A platform thread
 * sleeps in a selector of its own; a virtual thread parks and is woken by {@link ProgressThread}.
 *
 * @param <T> what an accepted TCP connection is
 */
public final class Acceptor<T> {
    /** Takes a TCP connection. */
    @FunctionalInterface
    public interface TcpAccept<T> {
        /** {@return null if there is none} */
        T tryAccept() throws IOException;
    }

    /** What was accepted: exactly one of the two, or neither and an {@link Outcome}. */
    public record Accepted<T>(Endpoint endpoint, T tcp, int outcome) {}

    private static final long NS_PER_MS = 1_000_000;

    private final DeviceListener listener;
    private final SelectableChannel tcp;
    private final TcpAccept<T> tcpAccept;

    /** Serialises accepting threads; guards {@link #tcpFirst} and {@link #tcpSeen}. */
    private final ReentrantLock acceptLock = new ReentrantLock();

    /** Whether {@link #tcpAccept} might block, so that it is called only when a connection has been seen. */
    private final boolean tcpBlocks;

    /** Alternates, so that neither kind of peer can starve the other. */
    private boolean tcpFirst;

    /** A selection has seen a TCP connection that has not been accepted yet. */
    private boolean tcpSeen;

    private final Consumer<SelectionKey> onSelected = this::onSelected;
    private final Runnable wake = this::wakeAll;

    private volatile Thread waiting;
    private volatile Selector selector;
    private volatile boolean closed;
    private final CopyOnWriteArrayList<Runnable> lateSignals = new CopyOnWriteArrayList<>();

    /**
     * @param listener the device's side; its late hand-shakes wake the waiting thread
     * @param tcp a non-blocking channel of the JDK, acceptable or readable while TCP connections wait
     * @param tcpBlocks whether {@code tcpAccept} blocks if there is no connection
     */
    public Acceptor(DeviceListener listener, SelectableChannel tcp, TcpAccept<T> tcpAccept, boolean tcpBlocks) {
        this.listener = listener;
        this.tcp = tcp;
        this.tcpAccept = tcpAccept;
        this.tcpBlocks = tcpBlocks;
        listener.onLate(this::onLate);
    }

    private void onLate() {
        wakeAll();
        lateSignals.forEach(Runnable::run);
    }

    /** Has {@code signal} run whenever {@link #hasLate} becomes true; it must not block. */
    public void addLateSignal(Runnable signal) {
        lateSignals.add(signal);
    }

    /** Takes back {@link #addLateSignal}. */
    public void removeLateSignal(Runnable signal) {
        lateSignals.remove(signal);
    }

    /** Accepts the next connection, waiting as told. */
    public Accepted<T> accept(Wait wait) throws IOException {
        acceptLock.lock();
        Deadline deadline = new Deadline().start(wait);
        try {
            while (!closed) {
                Accepted<T> accepted = tryAccept();
                if (accepted != null) {
                    return accepted;
                }
                if (wait.timeoutNs() == 0) {
                    return new Accepted<>(null, null, Outcome.WOULD_BLOCK);
                }
                int ended = deadline.ended();
                if (ended != 0) {
                    return new Accepted<>(null, null, ended);
                }
                sleep(deadline);
            }
            return new Accepted<>(null, null, Outcome.CLOSED);
        } catch (IOException e) {
            if (closed) {
                return new Accepted<>(null, null, Outcome.CLOSED);
            }
            throw e;
        } finally {
            deadline.restoreInterrupt();
            closeIfClosed();
            acceptLock.unlock();
        }
    }

    private Accepted<T> tryAccept() throws IOException {
        tcpFirst = !tcpFirst;
        Accepted<T> accepted = tcpFirst ? tryTcp() : tryDevice();
        return accepted != null ? accepted : tcpFirst ? tryDevice() : tryTcp();
    }

    private Accepted<T> tryTcp() throws IOException {
        if (tcpBlocks && !tcpSeen) {
            openSelector().selectNow(onSelected);
            if (!tcpSeen) {
                return null;
            }
        }
        tcpSeen = false;
        T connection = tcpAccept.tryAccept();
        if (connection == null) {
            return null;
        }
        Rendezvous.get().acceptedTcp(true);
        return new Accepted<>(null, connection, 0);
    }

    private Accepted<T> tryDevice() throws IOException {
        Endpoint endpoint = listener.tryAccept();
        if (endpoint == null) {
            return null;
        }
        Rendezvous.get().accepted(endpoint);
        return new Accepted<>(endpoint, null, 0);
    }

    private void sleep(Deadline deadline) throws IOException {
        waiting = Thread.currentThread();
        try {
            if (Threads.currentIsVirtual()) {
                ProgressThread.get().watch(tcp, tcpOps(), wake);
                ProgressThread.get().watch(listener.selectable(), SelectionKey.OP_ACCEPT, wake);
                if (mustSleep(deadline)) {
                    LockSupport.parkNanos(this, deadline.remainingNs());
                }
                return;
            }
            Selector own = openSelector();
            if (mustSleep(deadline)) {
                own.select(onSelected, Math.max(1, deadline.remainingNs() / NS_PER_MS));
            }
        } finally {
            waiting = null;
        }
    }

    private void onSelected(SelectionKey key) {
        if (key.channel() == tcp) {
            tcpSeen = true;
        }
    }

    private int tcpOps() {
        return tcp.validOps() & (SelectionKey.OP_ACCEPT | SelectionKey.OP_READ);
    }

    private boolean mustSleep(Deadline deadline) {
        return !closed && !listener.hasLate() && !deadline.interrupted();
    }

    private Selector openSelector() throws IOException {
        if (selector == null) {
            Selector opened = JdkChannels.openSelector();
            tcp.register(opened, tcpOps());
            listener.selectable().register(opened, SelectionKey.OP_ACCEPT);
            selector = opened;
        }
        return selector;
    }

    /** Makes a waiting thread look again. */
    public void wakeAll() {
        LockSupport.unpark(waiting);
        Selector open = selector;
        if (open != null) {
            open.wakeup();
        }
    }

    /** {@return the device's channel that is acceptable while connections wait} */
    public SelectableChannel deviceSelectable() {
        return listener.selectable();
    }

    /** {@return whether {@link #accept} would return at once, as far as late hand-shakes go} */
    public boolean hasLate() {
        return listener.hasLate();
    }

    /**
     * Closes the device's side and wakes the waiting thread. The TCP side is the caller's to close, afterwards: nobody
     * watches its descriptor any more. Idempotent.
     */
    public void close() {
        closed = true;
        listener.close();
        wakeAll();
        // Whoever is accepting has been woken and leaves at once.
        acceptLock.lock();
        try {
            closeIfClosed();
        } finally {
            acceptLock.unlock();
        }
        ProgressThread.forget(tcp);
        ProgressThread.flushClosed();
    }

    private void closeIfClosed() {
        Selector open = selector;
        if (closed && open != null) {
            try {
                open.close();
            } catch (IOException e) {
                Log.debug("acceptor: close failed: " + e.getMessage());
            }
        }
    }
}
