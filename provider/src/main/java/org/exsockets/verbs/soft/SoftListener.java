package org.exsockets.verbs.soft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.observe.Log;
import org.exsockets.verbs.Background;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;

/**
 * A listener: one Unix-domain socket, with a name for each version of the upper protocol that is spoken.
 *
 * <p>A client writes its hello right after it has connected. An acceptor that is even faster gives it a moment; if that is in vain it leaves
 * the rest of the hand-shake to the background thread, and gives none to others for a while.
 */
final class SoftListener implements DeviceListener {
    /** Clients that one call takes off the backlog: others want the thread, too, and a socket that is not empty stays ready. */
    private static final int MAX_ACCEPTS = 16;

    private static final int WAITS_DIVISOR = 200;

    /** Clients whose hellos are missing. Who has been silent for {@link #SILENCE_NS} makes room for another one. */
    private static final int MAX_SILENT = 64;

    private static final long SILENCE_NS = 5_000_000_000L;

    private final SoftDirectory directory;
    private final InetSocketAddress local;
    private final EndpointParameters parameters;
    private final LocalAddresses localAddresses;
    private final SegmentCache cache;
    private final Consumer<SoftListener> onClose;
    private final ServerSocketChannel server;
    private final List<Path> names = new ArrayList<>();
    private final ConcurrentLinkedQueue<Endpoint> late = new ConcurrentLinkedQueue<>();

    /**
     * Clients whose segments could not be mapped for want of descriptors or mappings: they have connected, and wait as in the
     * socket's own backlog. The next accept tries again, or fails as it would over TCP.
     */
    private final ConcurrentLinkedQueue<HelloReader> unmapped = new ConcurrentLinkedQueue<>();

    /** Guards closing against a late hand-shake that completes at the same time. */
    private final Object closing = new Object();

    /** Clients that have connected, and have not said all of their hello; oldest first. Guarded by {@link #closing}. */
    private final LinkedHashSet<HelloReader> silent = new LinkedHashSet<>();

    /** Null before {@link #attend}. */
    private volatile Background background;

    private boolean closed;

    /** Null if there is no memory for one. */
    private Knocker knocker;

    /** What was knocked last when no connection was left; written by the accepting thread. */
    private volatile long answered;

    /**
     * What the client of the connection accepted last knocks, or has knocked: that is answered, too. Who waits for more
     * need not ask the socket in vain, for which the kernel makes another one and throws it away. A client that has
     * connected later and yet knocked earlier goes unseen here. Written by the accepting thread.
     */
    private volatile long accepted;

    /** The latest wait for a hello that was about to come: when it ended, and whether it did not come. The accepting thread's. */
    private long waitedNs;

    private boolean inVain;

    /** Hellos are read into it. */
    private final ByteBuffer hello;

    private volatile Runnable onLate = () -> {};

    SoftListener(
            SoftDirectory directory,
            InetSocketAddress local,
            boolean dualStack,
            int backlog,
            EndpointParameters parameters,
            LocalAddresses localAddresses,
            SegmentCache cache,
            Consumer<SoftListener> onClose)
            throws IOException {
        this.directory = directory;
        this.local = local;
        this.parameters = parameters;
        this.localAddresses = localAddresses;
        this.cache = cache;
        this.onClose = onClose;
        if (local.getAddress().isAnyLocalAddress()) {
            localAddresses.look();
        }
        Doorbell.prepare();
        this.hello = ByteBuffer.allocateDirect(HelloDescriptor.LENGTH);
        this.server = JdkChannels.openServerSocketChannel(StandardProtocolFamily.UNIX);
        try {
            Path socket = directory.newSocket();
            knocker = openKnocker(socket);
            server.bind(UnixDomainSocketAddress.of(socket), backlog);
            names.add(socket);
            server.configureBlocking(false);
            for (int version = parameters.minVersion(); version <= parameters.maxVersion(); version++) {
                Path name = directory.listener(local, dualStack, version);
                // Who owns the TCP port owns the name: whatever has it was left by a process that died.
                Files.deleteIfExists(name);
                Files.createSymbolicLink(name, socket);
                names.add(name);
            }
        } catch (IOException e) {
            close();
            throw new IOException("listen: no name for " + local + ": " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    @Override
    public SelectableChannel selectable() {
        return server;
    }

    @Override
    public Endpoint tryAccept() throws IOException {
        Endpoint completedLate = late.poll();
        if (completedLate != null) {
            return completedLate;
        }
        Endpoint mappedNow = finishUnmapped();
        if (mappedNow != null) {
            return mappedNow;
        }
        long last = knocker == null ? 0 : knocker.last();
        if (last == accepted) {
            answered = last; // The next connection's takes its place.
        }
        if (background == null) {
            listenToSilent();
        }
        for (int i = 0; i < MAX_ACCEPTS; i++) {
            SocketChannel channel = server.accept();
            if (channel == null) {
                answered = last;
                return late.poll();
            }
            Endpoint endpoint = shakeHands(channel);
            if (endpoint != null) {
                return endpoint;
            }
        }
        return null;
    }

    private Endpoint finishUnmapped() throws IOException {
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

    /** Clients read it before they connect: while somebody waits for room, others go over TCP. */
    private void tellRoom() {
        synchronized (closing) {
            if (knocker != null) {
                knocker.setFull(!unmapped.isEmpty());
            }
        }
    }

    /** {@return null if there is no memory for it: acceptors then do not spin} */
    private Knocker openKnocker(Path socket) {
        Path file = directory.knocker(socket);
        names.add(file);
        try {
            return Knocker.create(file);
        } catch (IOException e) {
            Log.debug("listen over soft: no knocker: " + e);
            return null;
        }
    }

    @Override
    public boolean tellsArrivals() {
        return knocker != null;
    }

    @Override
    public boolean hasArrivals() {
        long last = knocker == null ? answered : knocker.last();
        return last != answered && last != accepted;
    }

    private Endpoint shakeHands(SocketChannel channel) throws IOException {
        HelloReader reader = new HelloReader(
                channel, directory.owner(), cache, parameters, this::belongsHere, this::canBeClients, hello);
        try {
            channel.configureBlocking(false);
        } catch (IOException | RuntimeException e) {
            refuse(channel, e);
            return null;
        }
        return finish(reader);
    }

    /** {@return null if there is no connection, or later} */
    private Endpoint finish(HelloReader reader) throws IOException {
        try {
            Endpoint endpoint = reader.tryRead();
            if (endpoint == null && mayWait()) {
                endpoint = reader.readSoon();
                inVain |= endpoint == null;
                waitedNs = System.nanoTime();
            }
            if (endpoint != null) {
                accepted = reader.proof();
            } else {
                awaitHello(reader);
            }
            return endpoint;
        } catch (NoResourcesException e) {
            unmapped(reader);
            throw new IOException(e.getMessage(), e); // The class that it has over TCP.
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            refuse(reader.channel(), e);
            return null;
        }
    }

    /** Silent clients may take no more than 1/{@value #WAITS_DIVISOR} of the accepting thread's time, which may be a selector's. */
    private boolean mayWait() {
        inVain = inVain && System.nanoTime() - waitedNs < (WAITS_DIVISOR - 1) * HelloReader.SOON_NS;
        return !inVain;
    }

    /** @throws IOException if nobody can wait for it */
    private void awaitHello(HelloReader reader) throws IOException {
        HelloReader longestSilent = null;
        synchronized (closing) {
            if (closed) {
                throw new IOException("hello: missing, and the listener is closed");
            }
            if (silent.size() == MAX_SILENT) {
                longestSilent = silent.iterator().next();
                if (System.nanoTime() - longestSilent.sinceNs() < SILENCE_NS) {
                    throw new IOException("hello: missing, and so are too many others: limit=" + MAX_SILENT);
                }
                silent.remove(longestSilent);
            }
            silent.add(reader);
        }
        if (longestSilent != null) {
            refuse(longestSilent.channel(), new IOException("hello: missing for too long"));
        }
        Background waiting = background;
        if (waiting != null) {
            if (longestSilent != null) {
                waiting.forgetClosed();
            }
            try {
                waiting.watch(reader.channel(), SelectionKey.OP_READ, () -> onHello(reader));
            } catch (IOException | OutOfMemoryError e) {
                endSilence(reader);
                throw new IOException("hello: missing, and nobody can wait for it: " + e.getMessage(), e);
            }
        }
    }

    /** {@return whether its hello was missing} */
    private boolean endSilence(HelloReader reader) {
        synchronized (closing) {
            return silent.remove(reader);
        }
    }

    /** As the background thread. */
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
        } catch (NoResourcesException e) {
            unmapped(reader);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            refuse(reader.channel(), e);
        }
    }

    /** For who has no background thread. */
    private void listenToSilent() {
        List<HelloReader> all;
        synchronized (closing) {
            all = List.copyOf(silent);
        }
        all.forEach(this::onHello);
    }

    private static void refuse(SocketChannel channel, Throwable cause) {
        Log.warnOnce(
                "soft-refused",
                "accept over soft: connection refused: " + cause.getMessage() + " (further ones at debug)");
        Log.debug("accept over soft: connection refused: " + cause);
        try {
            channel.close();
        } catch (IOException e) {
            Log.debug("accept over soft: close failed: " + e.getMessage());
        }
    }

    /** Whether a client that names {@code destination} may have meant this listener. */
    private boolean belongsHere(InetSocketAddress destination) {
        return destination.getPort() == local.getPort()
                && (local.getAddress().isAnyLocalAddress()
                        ? localAddresses.containsByNow(destination.getAddress())
                        : destination.getAddress().equals(local.getAddress()));
    }

    private boolean canBeClients(InetSocketAddress client) {
        return ClientPorts.mayHave(client.getPort()) && localAddresses.containsByNow(client.getAddress());
    }

    private void completedLate(Endpoint endpoint) {
        synchronized (closing) {
            if (!closed) {
                late.add(endpoint);
                onLate.run();
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
                onLate.run();
                return;
            }
        }
        drop(reader);
    }

    private static void drop(HelloReader reader) {
        try {
            reader.channel().close();
        } catch (IOException e) {
            Log.debug("listener over soft: close failed: " + e.getMessage());
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

    /** Also of what is to be tried again: an accept has something to say then. */
    @Override
    public boolean hasLate() {
        return !late.isEmpty() || !unmapped.isEmpty();
    }

    @Override
    public void attend(Background thread, Runnable listener) {
        onLate = listener;
        background = thread;
    }

    void removeNames() {
        if (knocker != null) {
            knocker.stopListening();
        }
        // The names lead to the socket: they go first.
        for (int i = names.size() - 1; i >= 0; i--) {
            names.get(i).toFile().delete();
        }
    }

    @Override
    public void close() {
        synchronized (closing) {
            if (closed) {
                return;
            }
            closed = true;
        }
        onClose.accept(this);
        removeNames();
        try {
            server.close();
        } catch (IOException e) {
            Log.debug("listener over soft: close failed: " + e.getMessage());
        }
        if (knocker != null) {
            knocker.close();
        }
        for (Endpoint endpoint; (endpoint = late.poll()) != null; ) {
            endpoint.discard();
        }
        for (HelloReader reader; (reader = unmapped.poll()) != null; ) {
            drop(reader);
        }
        dropSilent();
    }

    private void dropSilent() {
        List<HelloReader> all;
        synchronized (closing) {
            all = List.copyOf(silent);
            silent.clear();
        }
        all.forEach(SoftListener::drop);
        if (!all.isEmpty() && background != null) {
            background.forgetClosed();
        }
    }
}
