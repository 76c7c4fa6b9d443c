package org.exsockets.verbs.soft.meet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.exsockets.observe.Log;
import org.exsockets.verbs.Background;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.host.LocalSocket;
import org.exsockets.verbs.soft.host.SystemFailure;
import org.exsockets.verbs.soft.ring.SoftEndpoint;
import org.exsockets.verbs.soft.shared.ListenerPage;
import org.jspecify.annotations.Nullable;

/**
 * A listener: one Unix-domain socket, whose name tells the address ({@link ListenerNames}). It serves the newest
 * version of the upper protocol; clients that speak only others use TCP.
 *
 * <p>A client writes its hello right after it has connected. An acceptor that is even faster waits a moment. If no
 * hello comes, it leaves the rest of the hand-shake to the background thread, and waits for no other client for a
 * while.
 *
 * <p>Anybody in the network namespace may connect. Who may not be a peer is closed unread, and costs the accepting
 * thread three system calls; what he has sent is somebody else's to let go of ({@link LocalSocket#close}).
 */
public final class SoftListener implements DeviceListener, Runnable {
    /**
     * Clients that one call takes off the backlog: the thread has other work, too, and a socket that is not empty stays
     * ready.
     */
    private static final int MAX_ACCEPTS = 16;

    private static final int WAITS_DIVISOR = 200;

    /**
     * So many strangers, each of whom takes some microseconds of the accepting thread, and then none for two
     * milliseconds at least ({@link Background#later}): who waits behind a backlog of 4,096 of them waits for less than a
     * second.
     */
    private static final int STRANGERS_AT_A_TIME = 10;

    /** While more of them wait to be closed, none is accepted: each has a descriptor of this process. */
    private static final int MOST_TO_BE_CLOSED = 32;

    /** But for no longer than this, if their closer gets no processor. */
    private static final long LONGEST_PAUSE_NS = 100_000_000L;

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
     * in the socket's own backlog, while others are served. The background thread and each accept that finds nobody
     * else try again. Only for want of descriptors accept then fails, as over TCP.
     */
    private final ConcurrentLinkedQueue<HelloReader> unmapped = new ConcurrentLinkedQueue<>();

    /** Guards closing against a late hand-shake that completes at the same time. */
    private final Object closing = new Object();

    private final SilentClients silent = new SilentClients(new Consumer<HelloReader>() {
        @Override
        public void accept(HelloReader spoken) {
            finish(spoken, true);
        }
    });

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

    /** Who has been accepted last, as the kernel says; the accepting thread's. */
    private final long[] peer = new long[1];

    /** Clients that may not be peers, so far; the accepting thread's. */
    private long strangers;

    /** Nobody is accepted for a moment. */
    private volatile boolean paused;

    /** Whether the background thread is going to try those {@link #unmapped} again. */
    private final AtomicBoolean tryingAgain = new AtomicBoolean();

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
        try {
            this.page = ends.process.openPage();
            tellRoom();
        } catch (RuntimeException | Error e) {
            close(); // The name is another listener's.
            throw e;
        }
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
    public String device() {
        return SoftEndpoint.DEVICE;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
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
        long last = page == null ? 0 : page.last();
        if (last == accepted) {
            answered = last; // The next connection overwrites accepted.
        }
        for (int i = 0; i < MAX_ACCEPTS && !paused; i++) {
            LocalSocket client = accept();
            if (client == null) {
                answered = last;
                completedLate = late.poll();
                return completedLate != null ? completedLate : finishUnmapped();
            }
            Credentials who = Credentials.of(peer[0]);
            if (!ends.users.mayBePeer(who.user())) {
                turnAway(client, who);
                continue;
            }
            HelloReader reader = new HelloReader(client, who, ends, parameters, local, localAddresses, page);
            Endpoint endpoint = finish(reader, false);
            if (endpoint != null) {
                return endpoint;
            }
        }
        return null;
    }

    /** Whoever selects or spins meanwhile does not see that clients wait, and may sleep. */
    private void pauseIfTooMany() {
        Background waking = background;
        if (strangers % STRANGERS_AT_A_TIME != 0 || waking == null) {
            return;
        }
        pause(true);
        long startNs = System.nanoTime();
        Runnable end = new Runnable() {
            @Override
            public void run() {
                boolean early =
                        LocalSocket.toBeClosed() > MOST_TO_BE_CLOSED && System.nanoTime() - startNs < LONGEST_PAUSE_NS;
                if (!early || !waking.later(this)) {
                    pause(false);
                }
            }
        };
        if (!waking.later(end)) {
            pause(false);
        }
    }

    private void pause(boolean begins) {
        paused = begins;
        server.show(!begins);
    }

    private void turnAway(LocalSocket client, Credentials who) {
        client.turnAway();
        strangers++;
        pauseIfTooMany();
        if ((strangers & strangers - 1) == 0 && Log.debugEnabled()) {
            Log.debug("accept over soft: closed, as exs.peers does not allow its user: user="
                    + Integer.toUnsignedString(who.user()) + ", process=" + who.processId() + ", closed so far="
                    + strangers);
        }
    }

    private @Nullable LocalSocket accept() throws IOException {
        try {
            return server.accept(peer);
        } catch (SystemFailure e) {
            throw new IOException(e.getMessage(), e); // The same class as over TCP.
        }
    }

    /** Tries the client that has waited longest for room. */
    private @Nullable Endpoint finishUnmapped() throws IOException {
        HelloReader waiting = unmapped.poll();
        if (waiting == null) {
            return null;
        }
        Endpoint endpoint;
        waiting.lacks(null);
        try {
            endpoint = finish(waiting, false);
        } finally {
            tellRoom();
        }
        SystemFailure lack = waiting.lackOfDescriptors();
        if (endpoint == null && lack != null) {
            throw new IOException(lack.getMessage(), lack); // The same class as over TCP.
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
        return last != answered && last != accepted && !paused;
    }

    /**
     * {@return null if there is no connection, or not yet}
     *
     * @param late whether this is the background thread, which does not wait, and hands a connection over
     */
    private @Nullable Endpoint finish(HelloReader reader, boolean late) {
        try {
            Endpoint endpoint = reader.tryRead();
            if (endpoint == null && !late && mayWait()) {
                endpoint = reader.readSoon();
                inVain |= endpoint == null;
                waitedNs = System.nanoTime();
            }
            if (endpoint == null) {
                silent.await(reader, background);
            } else if (late) {
                completedLate(endpoint);
            } else {
                accepted = reader.proof;
            }
            return endpoint;
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            if (e instanceof SystemFailure failure && failure.isWantOfResources()) {
                reader.lacks(failure);
                unmapped(reader);
            } else {
                reader.refuse(e);
            }
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

    /** Background thread: tries the client that has waited longest for room again. */
    @Override
    public void run() {
        tryingAgain.set(false);
        HelloReader waiting = unmapped.poll();
        if (waiting != null) {
            finish(waiting, true);
            tellRoom();
        }
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
        Background again = background;
        synchronized (closing) {
            if (!closed) {
                unmapped.add(reader);
                tellRoom();
                if (reader.lackOfDescriptors() != null) {
                    tellLate();
                }
                if (again != null && tryingAgain.compareAndSet(false, true) && !again.later(this)) {
                    tryingAgain.set(false);
                }
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

    /** True also for a client that waits for descriptors: an accept then gives a connection or fails. */
    @Override
    public boolean hasLate() {
        HelloReader waiting = unmapped.peek();
        return !late.isEmpty() || waiting != null && waiting.lackOfDescriptors() != null;
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
        server.close();
        for (Endpoint endpoint; (endpoint = late.poll()) != null; ) {
            endpoint.discard();
        }
        for (HelloReader reader; (reader = unmapped.poll()) != null; ) {
            reader.drop();
        }
        silent.close(background);
    }
}
