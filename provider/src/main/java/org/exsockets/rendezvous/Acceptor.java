package org.exsockets.rendezvous;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.rendezvous.AcceptSources.Source;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.waiting.BlockingCall;
import org.exsockets.waiting.Deadline;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.SpinLoop;
import org.exsockets.waiting.Wait;
import org.jspecify.annotations.Nullable;

/**
 * Accepts from a TCP listener and the listeners of devices, whichever has a connection first.
 *
 * <p>Waiting threads are served one at a time, in the order of {@link #acceptLock}. If a device tells of arrivals, a
 * thread first spins, and checks the other sources now and then. Then it sleeps ({@link AcceptSources}).
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
            @Nullable Endpoint endpoint, @Nullable T tcp, int outcome) {
        private static <T> Accepted<T> none(int outcome) {
            return new Accepted<>(null, null, outcome);
        }
    }

    /** What sleeping in a selector and being woken costs both sides. */
    private static final long AUTO_SPIN_NS = 30_000;

    private static final int LOOKS_PER_OTHER = 8;
    private static final long NS_BETWEEN_SELECTIONS = 30_000;

    private final AcceptSources sources;
    private final TcpAccept<T> tcpAccept;

    /** Serialises accepting threads; guards {@link #loop} and what a look for connections changes. */
    private final ReentrantLock acceptLock = new ReentrantLock();

    private final SpinLoop loop = new SpinLoop(AUTO_SPIN_NS);
    private final Waiting waiting = new Waiting();

    /** What the accept that waits has got. Used under {@link #acceptLock}. */
    private @Nullable Accepted<T> accepted;

    /** Whether {@link #tcpAccept} might block, so that it is called only when a connection has been seen. */
    private final boolean tcpBlocks;

    /** Looks for connections so far. Each begins at the next source, so that no kind of peer starves another. */
    private long looks;

    /** An accept was interrupted: the owner is about to close this. */
    @GuardedBy("acceptLock")
    private boolean interrupted;

    /**
     * @param listeners the devices' side; their late hand-shakes wake the waiting thread
     * @param tcp a non-blocking channel of the JDK, acceptable or readable while TCP connections wait
     * @param tcpBlocks whether {@code tcpAccept} blocks if there is no connection
     */
    public Acceptor(List<DeviceListener> listeners, SelectableChannel tcp, TcpAccept<T> tcpAccept, boolean tcpBlocks) {
        this.sources = new AcceptSources(tcp, listeners);
        this.tcpAccept = tcpAccept;
        this.tcpBlocks = tcpBlocks;
    }

    /** {@return where connections come in, for those who wait elsewhere} */
    public AcceptSources sources() {
        return sources;
    }

    /**
     * Waits until no accept is running. {@return false if this is closed, or will be because an accept was interrupted}
     */
    public boolean awaitAccept() {
        acceptLock.lock();
        try {
            return !sources.isClosed() && !interrupted;
        } finally {
            acceptLock.unlock();
        }
    }

    /**
     * Accepts the next connection. The time of {@code wait} begins when earlier accepts are over; an interrupt is seen
     * then, even if there is a connection.
     */
    public Accepted<T> accept(Wait wait) throws IOException {
        acceptLock.lock();
        return acceptNow(wait, wait.interruptible() && Thread.currentThread().isInterrupted());
    }

    /** As {@link #accept}, but the wait for earlier accepts is a part of the time, as for the JDK's server sockets. */
    public Accepted<T> acceptInTime(Wait wait) throws IOException {
        Deadline deadline = new Deadline().start(wait);
        return deadline.lock(acceptLock) ? acceptNow(deadline.rest(), false) : Accepted.none(Outcome.TIMED_OUT);
    }

    /** The caller holds {@link #acceptLock}; this releases it. @param over the accept has been interrupted before */
    private Accepted<T> acceptNow(Wait wait, boolean over) throws IOException {
        try {
            if (sources.isClosed() || interrupted) {
                return Accepted.none(Outcome.CLOSED_BEFORE);
            }
            int outcome = Outcome.WOULD_BLOCK;
            if (over) {
                outcome = Outcome.INTERRUPTED;
            } else if (wait.timeoutNs() == 0) {
                accepted = tryAccept();
            } else {
                waiting.deadline.start(wait);
                accepted = acceptSeen();
                outcome = accepted != null ? 0 : waiting.run(waiting);
            }
            interrupted |= outcome == Outcome.INTERRUPTED;
            Accepted<T> got = accepted;
            return got != null ? got : Accepted.none(outcome);
        } catch (IOException | ClosedSelectorException e) {
            if (sources.isClosed()) {
                return Accepted.none(Outcome.CLOSED);
            }
            throw e;
        } finally {
            accepted = null;
            acceptLock.unlock();
        }
    }

    /** For a call that does not wait: looks everywhere, first where connections are known to be. */
    private @Nullable Accepted<T> tryAccept() throws IOException {
        Accepted<T> accepted = sources.anySeen() ? look(false) : null;
        return accepted != null ? accepted : look(true);
    }

    /**
     * For a call that waits: usually asks only where something has been seen. For a futile accept the kernel makes a
     * socket and throws it away, which takes ten times as long as looking.
     */
    private @Nullable Accepted<T> acceptSeen() throws IOException {
        // A platform thread selects when it sleeps. A virtual thread parks instead, so it selects here.
        if (!sources.anySeen() && Threads.currentIsVirtual()) {
            sources.look();
        }
        return look(false);
    }

    /** @param everywhere whether to ask also where no connection has been seen, as some of the looks do in any case */
    private @Nullable Accepted<T> look(boolean everywhere) throws IOException {
        Source[] now = sources.all();
        boolean other = looks % LOOKS_PER_OTHER == LOOKS_PER_OTHER - 1;
        long first = other ? looks / LOOKS_PER_OTHER : looks; // Also these begin at another source each time.
        looks++;
        for (int i = 0; i < now.length; i++) {
            Source source = now[(int) ((first + i) % now.length)];
            if (source.seen || everywhere || other) {
                Accepted<T> accepted = source.device == null ? tryTcp(source) : tryDevice(source, source.device);
                if (accepted != null) {
                    return accepted;
                }
            }
        }
        return null;
    }

    private @Nullable Accepted<T> tryTcp(Source tcp) throws IOException {
        if (tcpBlocks && !tcp.seen) {
            sources.look();
            if (!tcp.seen) {
                return null;
            }
        }
        tcp.seen = false;
        T connection = tcpAccept.tryAccept();
        if (connection == null) {
            return null;
        }
        Rendezvous.get().acceptedTcp(connection, true);
        return new Accepted<>(null, connection, 0);
    }

    private @Nullable Accepted<T> tryDevice(Source source, DeviceListener listener) throws IOException {
        source.seen = false;
        Endpoint endpoint;
        try {
            endpoint = listener.tryAccept();
        } catch (IOException e) {
            if (sources.isClosed() || source.channel.isOpen()) {
                throw e;
            }
            // The program's listener is TCP's: it goes on if an adapter goes away.
            Log.warn("accept: a device does not listen any more; new connections do without it: " + e.getMessage());
            sources.drop(source);
            listener.close();
            return null;
        }
        if (endpoint == null) {
            return null;
        }
        Rendezvous.get().accepted(endpoint);
        return new Accepted<>(endpoint, null, 0);
    }

    /** An accept that waits: it spins, then sleeps. Used under {@link #acceptLock}. */
    private final class Waiting extends BlockingCall implements BlockingCall.Attempt, SpinLoop.News<IOException> {
        private long lastSelectionNs = System.nanoTime();

        @Override
        protected int await() throws IOException {
            int ended = deadline.ended();
            if (ended != 0 || sources.anyTells() && loop.spin(this, deadline.remainingNs())) {
                return ended;
            }
            long sleptAtNs = System.nanoTime();
            sources.sleep(deadline);
            loop.slept(System.nanoTime() - sleptAtNs);
            return 0;
        }

        @Override
        public int attempt(int ended) throws IOException {
            if (sources.isClosed()) {
                return Outcome.CLOSED;
            }
            accepted = ended == 0 ? acceptSeen() : null;
            return accepted != null ? 0 : Outcome.WOULD_BLOCK;
        }

        @Override
        public boolean arrived() {
            return sources.anySeen();
        }

        @Override
        public boolean lookAround(long nowNs) throws IOException {
            if (sources.isClosed() || deadline.interrupted()) {
                return true;
            }
            if (nowNs - lastSelectionNs <= NS_BETWEEN_SELECTIONS) {
                return false;
            }
            lastSelectionNs = nowNs;
            sources.look();
            // Also for TCP, devices that do not tell, and clients that come for the first time.
            return sources.anySeen();
        }
    }

    /**
     * {@return whether {@link #accept} would return at once, now that {@code channel}, one of the {@link #sources}, is
     * ready} Never blocks. A thread that accepts at the same time may be faster, as with TCP.
     */
    public boolean confirmReady(SelectableChannel channel) {
        Source[] now = sources.all();
        if (channel == now[0].channel || sources.hasLate() || !acceptLock.tryLock()) {
            return true;
        }
        try {
            for (Source source : now) {
                if (source.channel == channel && source.device != null) {
                    return source.device.confirmReady();
                }
            }
            return false;
        } catch (IOException broken) {
            return true; // The next accept finds out, too, and deals with it.
        } finally {
            acceptLock.unlock();
        }
    }

    /**
     * Closes the devices' side and wakes the waiting thread. Afterwards the caller closes the TCP side, whose
     * descriptor is not watched any more. Idempotent.
     *
     * <p>Does not wait for an accept: one in a virtual thread may need the carrier of this thread. Before JDK 24 this
     * thread keeps its carrier, because the JDK's channels and sockets close themselves holding a monitor.
     */
    public void close() {
        sources.close();
    }
}
