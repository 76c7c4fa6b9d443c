package org.exsockets.verbs.soft.meet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.exsockets.observe.Log;
import org.exsockets.verbs.Background;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.shared.ListenerPage;
import org.jspecify.annotations.Nullable;

/**
 * A listener: one Unix-domain socket, whose name tells the address ({@link ListenerNames}). It serves the newest
 * version of the upper protocol; clients that speak only others use TCP.
 *
 * <p>A client writes its hello right after it has connected. An acceptor that is even faster waits a moment. If no
 * hello comes, it leaves the rest of the hand-shake to the background thread, and waits for no other client for a
 * while.
 */
public final class SoftListener implements DeviceListener {
    /**
     * Clients that one call takes off the backlog: the thread has other work, too, and a socket that is not empty stays
     * ready.
     */
    private static final int MAX_ACCEPTS = 16;

    private static final int WAITS_DIVISOR = 200;

    /**
     * Clients whose hellos are missing. One that has been silent for {@link #SILENCE_NS} makes room for another one.
     */
    private static final int MAX_SILENT = 64;

    private static final long SILENCE_NS = 5_000_000_000L;

    private final OwnEnds ends;
    private final InetSocketAddress local;
    private final int backlog;
    private final EndpointParameters parameters;
    private final LocalAddresses localAddresses;
    private final LocalSocket server;

    /** Null if there are too many listeners for one each. */
    private final @Nullable ListenerPage page;

    private final ConcurrentLinkedQueue<Endpoint> late = new ConcurrentLinkedQueue<>();

    /**
     * Clients whose segments could not be mapped for want of descriptors or mappings: they have connected, and wait as
     * in the socket's own backlog. The next accept tries again, or fails as it would over TCP.
     */
    private final ConcurrentLinkedQueue<HelloReader> unmapped = new ConcurrentLinkedQueue<>();

    /** Guards closing against a late hand-shake that completes at the same time. */
    private final Object closing = new Object();

    /** Connected clients whose hello is incomplete; oldest first. */
    @GuardedBy("closing")
    private final LinkedHashSet<HelloReader> silent = new LinkedHashSet<>();

    /** Null before {@link #attend}. */
    private volatile @Nullable Background background;

    private boolean closed;

    /** Whether clients have been told that there is no room. Written under {@link #closing}. */
    private volatile boolean full;

    /** The latest knock when no connection was left; written by the accepting thread. */
    private volatile long answered;

    /**
     * The knock, past or to come, of the client accepted last: it is answered, too. So a thread that waits for the next
     * client need not ask the socket, for which the kernel makes another one and throws it away. The knock of a client
     * that connected later but knocked earlier is not seen. Written by the accepting thread.
     */
    private volatile long accepted;

    /** The latest wait for a hello: when it ended, and whether none came. The accepting thread's. */
    private long waitedNs;

    private boolean inVain;

    /** Null before {@link #attend}. */
    private volatile @Nullable Runnable onLate;

    /**
     * @param dualStack whether a wildcard address is that of IPv4, too
     * @param backlog how many clients may wait
     * @throws IOException if there is no descriptor or no name for it
     */
    public SoftListener(
            OwnEnds ends,
            InetSocketAddress local,
            boolean dualStack,
            int backlog,
            EndpointParameters parameters,
            LocalAddresses localAddresses)
            throws IOException {
        this.ends = ends;
        this.local = local;
        this.backlog = backlog;
        this.parameters = parameters;
        this.localAddresses = localAddresses;
        if (local.getAddress().isAnyLocalAddress()) {
            localAddresses.look();
        }
        this.server = listen(ListenerNames.of(local, dualStack, parameters.maxVersion()), backlog);
        this.page = ends.process.openPage();
        tellRoom();
    }

    /**
     * @throws IOException also if another process has the name: this process, which owns the port, then does without
     *     shared memory
     */
    private LocalSocket listen(byte[] name, int backlog) throws IOException {
        try {
            return LocalSocket.listen(name, backlog);
        } catch (SystemFailure e) {
            String more = e.error() == SystemFailure.ADDRESS_IN_USE ? " (another process listens in its place)" : "";
            throw new IOException("listen: no name for " + local + ": " + e.getMessage() + more, e);
        }
    }

    @Override
    public SelectableChannel selectable() {
        return server.selectable();
    }

    @Override
    public @Nullable Endpoint tryAccept() throws IOException {
        if (lacksRoom() != full) {
            tellRoom();
        }
        Endpoint completedLate = late.poll();
        if (completedLate != null) {
            return completedLate;
        }
        Endpoint mappedNow = finishUnmapped();
        if (mappedNow != null) {
            return mappedNow;
        }
        long last = page == null ? 0 : page.last();
        if (last == accepted) {
            answered = last; // The next connection overwrites accepted.
        }
        for (int i = 0; i < MAX_ACCEPTS; i++) {
            LocalSocket client = accept();
            if (client == null) {
                answered = last;
                return late.poll();
            }
            Endpoint endpoint = finish(new HelloReader(client, ends, parameters, local, localAddresses, page));
            if (endpoint != null) {
                return endpoint;
            }
        }
        return null;
    }

    private @Nullable LocalSocket accept() throws IOException {
        try {
            return server.accept();
        } catch (SystemFailure e) {
            throw new IOException(e.getMessage(), e); // The same class as over TCP.
        }
    }

    private @Nullable Endpoint finishUnmapped() throws IOException {
        Endpoint endpoint = null;
        for (HelloReader waiting; endpoint == null && (waiting = unmapped.poll()) != null; ) {
            try {
                endpoint = finish(waiting);
            } finally {
                tellRoom();
            }
        }
        return endpoint;
    }

    /** {@return whether a client waits for room, or this process shares as much memory as it may} */
    private boolean lacksRoom() {
        return !unmapped.isEmpty() || !ends.allowsSegment();
    }

    /**
     * While there is no room clients use TCP. Those that know the page read it before they connect. Of the others one
     * may wait in the backlog. It is accepted even beyond the limit: it may have written already.
     */
    private void tellRoom() {
        synchronized (closing) {
            boolean none = lacksRoom();
            if (closed || none == full) { // Once closed, the page may be another listener's.
                return;
            }
            full = none;
            if (none && unmapped.isEmpty()) {
                Log.warnOnce("memory-limit", "accept over soft: clients use TCP: " + ends.budget);
            }
            server.setBacklog(none ? 0 : backlog);
            if (page != null) {
                page.setFull(none);
            }
        }
    }

    @Override
    public boolean tellsArrivals() {
        return page != null;
    }

    @Override
    public boolean hasArrivals() {
        long last = page == null ? answered : page.last();
        return last != answered && last != accepted;
    }

    /** {@return null if there is no connection, or not yet} */
    private @Nullable Endpoint finish(HelloReader reader) throws IOException {
        try {
            Endpoint endpoint = reader.tryRead();
            if (endpoint == null && mayWait()) {
                endpoint = reader.readSoon();
                inVain |= endpoint == null;
                waitedNs = System.nanoTime();
            }
            if (endpoint != null) {
                accepted = reader.proof;
            } else {
                awaitHello(reader);
            }
            return endpoint;
        } catch (SystemFailure e) {
            if (!e.isWantOfResources()) {
                refuse(reader, e);
                return null;
            }
            unmapped(reader);
            throw new IOException(e.getMessage(), e); // The same class as over TCP.
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            refuse(reader, e);
            return null;
        }
    }

    /**
     * Silent clients may take no more than 1/{@value #WAITS_DIVISOR} of the accepting thread's time, which may be a
     * selector's.
     */
    private boolean mayWait() {
        inVain = inVain && System.nanoTime() - waitedNs < (WAITS_DIVISOR - 1) * HelloReader.SOON_NS;
        return !inVain;
    }

    private void awaitHello(HelloReader reader) throws IOException {
        HelloReader longestSilent = null;
        Background waiting = background;
        synchronized (closing) {
            if (closed || waiting == null) {
                throw new IOException("hello: missing, and the listener is closed or not attended");
            }
            if (silent.size() == MAX_SILENT) {
                longestSilent = silent.iterator().next();
                if (System.nanoTime() - longestSilent.sinceNs < SILENCE_NS) {
                    throw new IOException("hello: missing, and so are too many others: limit=" + MAX_SILENT);
                }
                silent.remove(longestSilent);
            }
            silent.add(reader);
        }
        if (longestSilent != null) {
            refuse(longestSilent, new IOException("hello: missing for too long"));
            waiting.forgetClosed();
        }
        try {
            waiting.watch(reader.socket.selectable(), SelectionKey.OP_READ, new Runnable() {
                @Override
                public void run() {
                    onHello(reader);
                }
            });
        } catch (IOException | OutOfMemoryError e) {
            endSilence(reader);
            throw new IOException("hello: missing, and nobody can wait for it: " + e.getMessage(), e);
        }
    }

    private boolean endSilence(HelloReader reader) {
        synchronized (closing) {
            return silent.remove(reader);
        }
    }

    /** Background thread. */
    private void onHello(HelloReader reader) {
        if (!endSilence(reader)) {
            return;
        }
        try {
            Endpoint endpoint = reader.tryRead();
            if (endpoint != null) {
                completedLate(endpoint);
            } else {
                awaitHello(reader);
            }
        } catch (SystemFailure e) {
            if (e.isWantOfResources()) {
                unmapped(reader);
            } else {
                refuse(reader, e);
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            refuse(reader, e);
        }
    }

    private static void refuse(HelloReader reader, Throwable cause) {
        if (reader.hasBegun()) {
            Log.warnOnce(
                    "soft-refused",
                    "accept over soft: connection refused: " + cause.getMessage() + " (further ones at debug)");
        }
        Log.debug("accept over soft: connection refused: " + cause);
        reader.drop();
    }

    private void completedLate(Endpoint endpoint) {
        synchronized (closing) {
            if (!closed) {
                late.add(endpoint);
                tellLate();
                return;
            }
        }
        endpoint.discard();
    }

    private void unmapped(HelloReader reader) {
        synchronized (closing) {
            if (!closed) {
                unmapped.add(reader);
                tellRoom();
                tellLate();
                return;
            }
        }
        reader.drop();
    }

    private void tellLate() {
        Runnable attendant = onLate;
        if (attendant != null) {
            attendant.run();
        }
    }

    /** A client that was stopped before its hello makes the socket acceptable, but a program must not be told yet. */
    @Override
    public boolean confirmReady() throws IOException {
        if (!hasLate()) {
            Endpoint endpoint = tryAccept();
            if (endpoint != null) {
                completedLate(endpoint);
            }
        }
        return hasLate();
    }

    /** True also for clients to be tried again: an accept then gives a connection or fails. */
    @Override
    public boolean hasLate() {
        return !late.isEmpty() || !unmapped.isEmpty();
    }

    @Override
    public void attend(Background thread, Runnable listener) {
        onLate = listener;
        background = thread;
    }

    @Override
    public void close() {
        synchronized (closing) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (page != null) {
            ends.process.closePage(page); // Before the name is free: clients believe the page.
        }
        server.closeNow();
        for (Endpoint endpoint; (endpoint = late.poll()) != null; ) {
            endpoint.discard();
        }
        for (HelloReader reader; (reader = unmapped.poll()) != null; ) {
            reader.drop();
        }
        dropSilent();
    }

    private void dropSilent() {
        List<HelloReader> all;
        synchronized (closing) {
            all = List.copyOf(silent);
            silent.clear();
        }
        for (HelloReader reader : all) {
            reader.drop();
        }
        if (!all.isEmpty() && background != null) {
            background.forgetClosed();
        }
    }
}
