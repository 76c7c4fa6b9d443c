package org.exsockets.rendezvous;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.waiting.BlockingCall;
import org.exsockets.waiting.Deadline;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.ProgressThread;
import org.exsockets.waiting.SpinLoop;
import org.exsockets.waiting.Wait;
import org.jspecify.annotations.Nullable;

/**
 * Accepts from a TCP listener and the listeners of devices, whichever has a connection first.
 *
 * <p>Waiting threads are served one at a time, in the order of {@link #acceptLock}. If a device tells of arrivals, a
 * thread first spins, and checks the other sources now and then. Then it sleeps in its {@link AcceptingPlace}.
 *
 * @param <T> what an accepted TCP connection is
 */
public final class Acceptor<T> {
    /** Takes a TCP connection. */
    @FunctionalInterface
    public interface TcpAccept<T> {
        /** {@return null if there is none} */
        @Nullable
        T tryAccept() throws IOException;
    }

    /** What was accepted: exactly one of the two, or neither and an {@link Outcome}. */
    public record Accepted<T>(
            @Nullable Endpoint endpoint, @Nullable T tcp, int outcome) {}

    /** What sleeping in a selector and being woken costs both sides. */
    private static final long AUTO_SPIN_NS = 30_000;

    private static final long ALL = -1;
    private static final int LOOKS_PER_OTHER = 8;
    private static final long NS_BETWEEN_SELECTIONS = 30_000;

    /** Shrinks when a device's listener breaks. Written under {@link #acceptLock}. */
    private volatile DeviceListener[] listeners;

    private final TcpAccept<T> tcpAccept;

    /** Serialises accepting threads; guards {@link #loop} and what a look for connections changes. */
    private final ReentrantLock acceptLock = new ReentrantLock();

    private final SpinLoop loop = new SpinLoop(AUTO_SPIN_NS);
    private final Waiting waiting = new Waiting();

    /** What the accept that waits has got. Used under {@link #acceptLock}. */
    private @Nullable Accepted<T> accepted;

    /** Whether {@link #tcpAccept} might block, so that it is called only when a connection has been seen. */
    private final boolean tcpBlocks;

    /**
     * The source that the latest look asked first, 0 for TCP. The next look moves on, so that no kind of peer starves
     * another.
     */
    private int turn = -1;

    /** Looks for connections so far. */
    private int looks;

    /** As {@link #turn}, for the looks everywhere ({@link #otherLook}). Other looks do not move it. */
    private int otherTurn = -1;

    /** Sources where connections have been seen, not asked since: a bit each, numbered as {@link #turn}. */
    private long seen;

    private final Consumer<SelectionKey> onSelected = new Consumer<>() {
        @Override
        public void accept(SelectionKey key) {
            onSelected(key);
        }
    };

    /** An accept was interrupted: the owner is about to close this. */
    @GuardedBy("acceptLock")
    private boolean interrupted;

    /** Where they sleep; it also knows whether this is closed. */
    private final AcceptingPlace place;

    private final CopyOnWriteArrayList<Runnable> signals = new CopyOnWriteArrayList<>();

    /**
     * @param listeners the devices' side; their late hand-shakes wake the waiting thread
     * @param tcp a non-blocking channel of the JDK, acceptable or readable while TCP connections wait
     * @param tcpBlocks whether {@code tcpAccept} blocks if there is no connection
     */
    public Acceptor(List<DeviceListener> listeners, SelectableChannel tcp, TcpAccept<T> tcpAccept, boolean tcpBlocks) {
        this.listeners = listeners.toArray(new DeviceListener[0]);
        this.tcpAccept = tcpAccept;
        this.tcpBlocks = tcpBlocks;
        Runnable onLate = new Runnable() {
            @Override
            public void run() {
                onLate();
            }
        };
        this.place = new AcceptingPlace(tcp, onSelected, onLate);
        for (DeviceListener listener : this.listeners) {
            listener.attend(ProgressThread.background(), onLate);
        }
    }

    private void onLate() {
        place.wakeAll();
        for (Runnable signal : signals) {
            signal.run();
        }
    }

    /** Has {@code signal} run whenever {@link #hasLate} becomes true, and after {@link #watch}; it must not block. */
    public void addSignal(Runnable signal) {
        signals.add(signal);
    }

    /** Takes back {@link #addSignal}. */
    public void removeSignal(Runnable signal) {
        signals.remove(signal);
    }

    /**
     * Waits until no accept is running. {@return false if this is closed, or will be because an accept was interrupted}
     */
    public boolean awaitAccept() {
        acceptLock.lock();
        try {
            return !place.isClosed() && !interrupted;
        } finally {
            acceptLock.unlock();
        }
    }

    /**
     * Accepts the next connection. The time of {@code wait} begins with the turn of the call; an interrupt is seen then,
     * even if there is a connection.
     */
    public Accepted<T> accept(Wait wait) throws IOException {
        acceptLock.lock();
        return acceptNow(wait, wait.interruptible() && Thread.currentThread().isInterrupted());
    }

    /** As {@link #accept}, but the wait for earlier accepts is a part of the time, as for the JDK's server sockets. */
    public Accepted<T> acceptInTime(Wait wait) throws IOException {
        Deadline deadline = new Deadline().start(wait);
        return deadline.lock(acceptLock)
                ? acceptNow(deadline.rest(), false)
                : new Accepted<>(null, null, Outcome.TIMED_OUT);
    }

    /** The caller holds {@link #acceptLock}; this releases it. @param over the accept has been interrupted before */
    private Accepted<T> acceptNow(Wait wait, boolean over) throws IOException {
        try {
            if (place.isClosed() || interrupted) {
                return new Accepted<>(null, null, Outcome.CLOSED_BEFORE);
            }
            if (over) {
                interrupted = true;
                return new Accepted<>(null, null, Outcome.INTERRUPTED);
            }
            if (wait.timeoutNs() == 0) {
                Accepted<T> now = tryAccept();
                return now != null ? now : new Accepted<>(null, null, Outcome.WOULD_BLOCK);
            }
            waiting.deadline.start(wait);
            accepted = acceptSeen();
            int outcome = accepted != null ? 0 : waiting.run(waiting);
            interrupted |= outcome == Outcome.INTERRUPTED;
            Accepted<T> got = accepted;
            return got != null ? got : new Accepted<>(null, null, outcome);
        } catch (IOException | ClosedSelectorException e) {
            if (place.isClosed()) {
                return new Accepted<>(null, null, Outcome.CLOSED);
            }
            throw e;
        } finally {
            accepted = null;
            acceptLock.unlock();
        }
    }

    /** For a call that does not wait: looks everywhere, first where connections are known to be. */
    private @Nullable Accepted<T> tryAccept() throws IOException {
        if (otherLook()) {
            return tryAccept(ALL);
        }
        long arrived = arrivals();
        Accepted<T> accepted = arrived == 0 ? null : tryAccept(arrived);
        return accepted != null ? accepted : tryAccept(ALL);
    }

    /**
     * For a call that waits: usually asks only where something has been seen. For a futile accept the kernel makes a
     * socket and throws it away, which takes ten times as long as looking.
     */
    private @Nullable Accepted<T> acceptSeen() throws IOException {
        if (otherLook()) {
            return tryAccept(ALL);
        }
        seen |= arrivals();
        // A platform thread selects when it sleeps. A virtual thread parks instead, so it selects here.
        if (seen == 0 && Threads.currentIsVirtual()) {
            place.look(listeners);
        }
        return seen == 0 ? null : tryAccept(seen);
    }

    /** {@return whether this look goes everywhere, not only to busy devices} Each such look begins elsewhere. */
    private boolean otherLook() {
        if (++looks % LOOKS_PER_OTHER != 0) {
            return false;
        }
        otherTurn = (otherTurn + 1) % (listeners.length + 1);
        turn = otherTurn - 1; // tryAccept moves on by one.
        return true;
    }

    /** {@return the devices where connections may have arrived, as {@link #seen}} */
    private long arrivals() {
        DeviceListener[] now = listeners;
        long arrivals = 0;
        for (int i = 0; i < now.length; i++) {
            if (now[i].hasArrivals() || now[i].hasLate()) {
                arrivals |= 2L << i;
            }
        }
        return arrivals;
    }

    private @Nullable Accepted<T> tryAccept(long among) throws IOException {
        DeviceListener[] now = listeners;
        int sources = now.length + 1;
        turn = (turn + 1) % sources;
        for (int i = 0; i < sources; i++) {
            int source = (turn + i) % sources;
            if ((among & 1L << source) == 0) {
                continue;
            }
            seen &= ~(1L << source);
            Accepted<T> accepted = source == 0 ? tryTcp(among != ALL) : tryDevice(now[source - 1]);
            if (accepted != null) {
                return accepted;
            }
        }
        return null;
    }

    private @Nullable Accepted<T> tryTcp(boolean shown) throws IOException {
        if (tcpBlocks && !shown) {
            place.look(listeners);
            if ((seen & 1) == 0) {
                return null;
            }
            seen &= ~1L;
        }
        T connection = tcpAccept.tryAccept();
        if (connection == null) {
            return null;
        }
        Rendezvous.get().acceptedTcp(connection, true);
        return new Accepted<>(null, connection, 0);
    }

    private @Nullable Accepted<T> tryDevice(DeviceListener listener) throws IOException {
        Endpoint endpoint;
        try {
            endpoint = listener.tryAccept();
        } catch (IOException e) {
            if (place.isClosed() || listener.selectable().isOpen()) {
                throw e;
            }
            drop(listener, e);
            return null;
        }
        if (endpoint == null) {
            return null;
        }
        Rendezvous.get().accepted(endpoint);
        return new Accepted<>(endpoint, null, 0);
    }

    /** The program's listener is TCP's: it goes on if an adapter goes away. */
    private void drop(DeviceListener broken, IOException cause) {
        Log.warn("accept: a device does not listen any more; new connections do without it: " + cause.getMessage());
        listeners = Arrays.stream(listeners).filter(each -> each != broken).toArray(DeviceListener[]::new);
        // The numbers of the sources have changed.
        seen = 0;
        broken.close();
    }

    /** An accept that waits: it spins, then sleeps. Used under {@link #acceptLock}. */
    private final class Waiting extends BlockingCall implements BlockingCall.Attempt, SpinLoop.News<IOException> {
        private long lastSelectionNs = System.nanoTime();

        @Override
        protected int await() throws IOException {
            int ended = deadline.ended();
            if (ended != 0 || tellingDevices() != 0 && loop.spin(this, deadline.remainingNs())) {
                return ended;
            }
            long sleptAtNs = System.nanoTime();
            try {
                place.enter(listeners);
                if (!place.isClosed() && !hasLate() && !deadline.interrupted()) {
                    place.sleep(deadline);
                }
            } finally {
                place.leave();
            }
            loop.slept(System.nanoTime() - sleptAtNs);
            return 0;
        }

        @Override
        public int attempt(int ended) throws IOException {
            if (place.isClosed()) {
                return Outcome.CLOSED;
            }
            accepted = ended == 0 ? acceptSeen() : null;
            return accepted != null ? 0 : Outcome.WOULD_BLOCK;
        }

        @Override
        public boolean arrived() {
            return arrivals() != 0;
        }

        @Override
        public boolean lookAround(long nowNs) throws IOException {
            if (place.isClosed() || deadline.interrupted()) {
                return true;
            }
            if (nowNs - lastSelectionNs <= NS_BETWEEN_SELECTIONS) {
                return false;
            }
            lastSelectionNs = nowNs;
            place.look(listeners);
            // Also for TCP, devices that do not tell, and clients that come for the first time.
            return seen != 0;
        }
    }

    /** {@return the devices that tell of arrivals, as {@link #seen}} */
    private long tellingDevices() {
        DeviceListener[] now = listeners;
        long telling = 0;
        for (int i = 0; i < now.length; i++) {
            telling |= now[i].tellsArrivals() ? 2L << i : 0;
        }
        return telling;
    }

    /**
     * Makes the background thread wake waiting threads and run the signals ({@link #addSignal}), once, when there may
     * be a connection. Any thread.
     *
     * @throws IOException if there is no background thread
     */
    public void watch() throws IOException {
        place.watch(listeners);
    }

    private void onSelected(SelectionKey key) {
        DeviceListener[] now = listeners;
        for (int i = 0; i < now.length; i++) {
            if (key.channel() == now[i].selectable()) {
                seen |= 2L << i;
                return;
            }
        }
        seen |= 1;
    }

    /** {@return the operations for which {@code channel}, listening or not, is ready while connections wait there} */
    public static int acceptOps(SelectableChannel channel) {
        return AcceptingPlace.acceptOps(channel);
    }

    /** {@return the devices' channels that are ready for {@link #acceptOps} while connections wait} */
    public List<SelectableChannel> deviceSelectables() {
        List<SelectableChannel> all = new ArrayList<>();
        for (DeviceListener listener : listeners) {
            all.add(listener.selectable());
        }
        return all;
    }

    /**
     * {@return whether {@link #accept} would return at once, now that {@code device}, one of
     * {@link #deviceSelectables}, is ready} Never blocks. A thread that accepts at the same time may be faster, as with
     * TCP.
     */
    public boolean confirmReady(SelectableChannel device) {
        if (hasLate() || !acceptLock.tryLock()) {
            return true;
        }
        try {
            for (DeviceListener listener : listeners) {
                if (listener.selectable() == device) {
                    return listener.confirmReady();
                }
            }
            return false;
        } catch (IOException broken) {
            return true; // The next accept finds out, too, and deals with it.
        } finally {
            acceptLock.unlock();
        }
    }

    /** {@return whether {@link #accept} would return at once, as far as late hand-shakes go} */
    public boolean hasLate() {
        for (DeviceListener listener : listeners) {
            if (listener.hasLate()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Closes the devices' side and wakes the waiting thread. Afterwards the caller closes the TCP side, whose
     * descriptor is not watched any more. Idempotent.
     *
     * <p>Does not wait for an accept: one in a virtual thread may need the carrier of this thread. Before JDK 24 this
     * thread keeps its carrier, because the JDK's channels and sockets close themselves holding a monitor.
     */
    public void close() {
        place.shut();
        for (DeviceListener listener : listeners) {
            listener.close();
        }
        place.close();
    }
}
