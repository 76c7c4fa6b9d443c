package org.exsockets.verbs.soft;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.observe.Log;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.ProgramAllocator;
import org.exsockets.verbs.Reachability;
import org.exsockets.verbs.soft.KnownListeners.Listener;

/**
 * The software RDMA device. Thread-safe.
 *
 * <p>Connecting takes no round trip: the client takes a segment, whole and allocated, names it in a hello on the
 * listener's Unix-domain socket, and may post at once; the server maps the segment when it accepts. Both keep segments
 * for later connections.
 */
public final class SoftDevice implements Device {
    static final String NAME = "soft";

    private static final Path MEMORY_FILE_SYSTEM = Path.of("/dev/shm");

    private final SoftDirectory directory;
    private final LocalAddresses localAddresses = new LocalAddresses();
    private final SegmentPool pool;
    private final ProgramArenas arenas;
    private final ProgramSigns signs;
    private final SegmentCache cache;
    private final KnownListeners knownListeners;
    private final Set<SoftListener> listeners = ConcurrentHashMap.newKeySet();

    /**
     * Opens the device for the effective user of this process.
     *
     * @throws IOException if there is no usable private directory; the message says why
     */
    public SoftDevice() throws IOException {
        this(MEMORY_FILE_SYSTEM);
    }

    SoftDevice(Path memoryFileSystem) throws IOException {
        this.directory = SoftDirectory.open(memoryFileSystem);
        this.pool = new SegmentPool(directory);
        this.arenas = new ProgramArenas(directory);
        this.signs = new ProgramSigns(directory);
        this.cache = new SegmentCache(directory, arenas, signs);
        this.knownListeners = new KnownListeners(directory);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Reachability reachability(InetSocketAddress remote, EndpointParameters parameters) {
        if (known(remote, parameters) != null) {
            return Reachability.LIKELY;
        }
        for (int version = parameters.maxVersion(); version >= parameters.minVersion(); version--) {
            if (listens(remote, version)) {
                return localAddresses.contains(remote.getAddress()) ? Reachability.LIKELY : Reachability.NOT_LOCAL;
            }
        }
        return localAddresses.contains(remote.getAddress()) ? Reachability.NO_LISTENER : Reachability.NOT_LOCAL;
    }

    private Listener known(InetSocketAddress remote, EndpointParameters parameters) {
        Listener known = knownListeners.find(remote);
        return known != null
                        && known.version() >= parameters.minVersion()
                        && known.version() <= parameters.maxVersion()
                        && localAddresses.contains(remote.getAddress())
                ? known
                : null;
    }

    private boolean listens(InetSocketAddress remote, int version) {
        for (Path name : directory.names(remote, version)) {
            if (SoftDirectory.exists(name)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Endpoint connect(InetSocketAddress local, InetSocketAddress remote, EndpointParameters parameters)
            throws ConnectFailure {
        Listener known = known(remote, parameters);
        if (known != null) {
            try {
                return connect(known, local, remote, parameters);
            } catch (ConnectFailure e) {
                knownListeners.forget(remote);
                if (e.kind() != Kind.REFUSED) {
                    throw e;
                }
                Log.debug("connect over soft: a known listener is gone: remote=" + remote);
            }
        }
        return connectByName(local, remote, parameters);
    }

    private Endpoint connectByName(InetSocketAddress local, InetSocketAddress remote, EndpointParameters parameters)
            throws ConnectFailure {
        ConnectFailure refused = null;
        if (!localAddresses.contains(remote.getAddress())) {
            throw new ConnectFailure(Kind.REFUSED, "connect: not an address of this host: remote=" + remote, null);
        }
        for (int version = parameters.maxVersion(); version >= parameters.minVersion(); version--) {
            for (Path name : directory.names(remote, version)) {
                try {
                    Path socket = socket(name);
                    if (socket != null) {
                        Listener listener = new Listener(UnixDomainSocketAddress.of(socket), version);
                        Endpoint endpoint = connect(listener, local, remote, parameters);
                        knownListeners.remember(remote, listener);
                        return endpoint;
                    }
                } catch (ConnectFailure e) {
                    if (e.kind() != Kind.REFUSED) {
                        throw e;
                    }
                    refused = e;
                }
            }
        }
        throw refused != null
                ? refused
                : new ConnectFailure(Kind.REFUSED, "connect: the listener is gone: remote=" + remote, null);
    }

    private Path socket(Path name) throws ConnectFailure {
        try {
            return directory.socket(name);
        } catch (IOException e) {
            throw new ConnectFailure(Kind.FAILED, "connect: name not readable: name=" + name, e);
        }
    }

    private Endpoint connect(
            Listener listener, InetSocketAddress local, InetSocketAddress remote, EndpointParameters parameters)
            throws ConnectFailure {
        int version = listener.version();
        checkTellable(local);
        Knocker page = knownListeners.page(listener.socket());
        checkRoom(page, remote);
        Segment segment = acquireSegment(parameters);
        SocketChannel channel = null;
        try {
            channel = connectChannel(listener.socket());
            if (page == null) {
                page = knownListeners.check(listener.socket(), channel);
                checkRoom(page, remote);
            }
            segment.wakesOfB(page != null && page.wakes());
            ByteBuffer hello = HelloDescriptor.encode(new HelloDescriptor.Hello(
                    version,
                    version,
                    segment.slots(),
                    segment.regionBytes(),
                    segment.reserveBytes(),
                    local,
                    remote,
                    segment.name(),
                    segment.proof()));
            if (channel.write(hello) != HelloDescriptor.LENGTH) {
                throw new ConnectFailure(Kind.FAILED, "connect: hello not taken whole: remote=" + remote, null);
            }
            if (page != null) {
                page.knock(segment.proof());
            }
            Doorbell doorbell = new Doorbell(channel);
            return new SoftEndpoint(
                    segment,
                    true,
                    version,
                    local,
                    remote,
                    doorbell,
                    new Reserves(directory, segment, true, parameters.maxExposedBytes()),
                    arenas.of(segment, true),
                    signs.of(segment, true, doorbell),
                    pool::release);
        } catch (IOException e) {
            pool.discard(segment);
            if (channel != null) {
                close(channel, e);
            }
            throw e instanceof ConnectFailure failure
                    ? failure
                    : new ConnectFailure(Kind.FAILED, "connect: hand-shake failed: remote=" + remote, e);
        } catch (OutOfMemoryError e) {
            pool.discard(segment);
            if (channel != null) {
                close(channel, e);
            }
            throw e;
        }
    }

    private void checkTellable(InetSocketAddress local) throws ConnectFailure {
        if (!ClientPorts.mayHave(local.getPort()) || !localAddresses.contains(local.getAddress())) {
            throw new ConnectFailure(
                    Kind.UNSUPPORTED_ADDRESS, "connect: servers believe it over TCP only: local=" + local, null);
        }
    }

    /** @param page null if the listener has none */
    private static void checkRoom(Knocker page, InetSocketAddress remote) throws ConnectFailure {
        if (page != null && page.isFull()) {
            throw new ConnectFailure(
                    Kind.PEER_EXHAUSTED,
                    "connect: the server has no room for another segment (ulimit -n, vm.max_map_count): remote="
                            + remote,
                    null);
        }
    }

    private static void close(SocketChannel channel, Throwable cause) {
        try {
            channel.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private Segment acquireSegment(EndpointParameters parameters) throws ConnectFailure {
        try {
            return pool.acquire(parameters);
        } catch (IOException e) {
            throw new ConnectFailure(whatIsMissing(e), "connect: no segment: " + e.getMessage(), e);
        }
    }

    /** By the class, where that tells: messages of the system are in the user's language. */
    static Kind whatIsMissing(IOException noSegment) {
        boolean opening = noSegment instanceof FileSystemException;
        boolean mapping = noSegment.getCause() instanceof OutOfMemoryError;
        // A file may not even be created where there are no inodes. What else fails is writing.
        return opening && !String.valueOf(noSegment.getMessage()).contains("No space left") || mapping
                ? Kind.NO_DESCRIPTORS
                : Kind.NO_MEMORY;
    }

    private static SocketChannel connectChannel(UnixDomainSocketAddress socket) throws IOException {
        SocketChannel channel;
        try {
            channel = JdkChannels.openSocketChannel(StandardProtocolFamily.UNIX);
        } catch (IOException e) {
            throw new ConnectFailure(Kind.NO_DESCRIPTORS, "connect: no Unix-domain socket: " + e.getMessage(), e);
        }
        try {
            channel.configureBlocking(false);
            channel.connect(socket);
            return channel;
        } catch (ConnectException stale) {
            channel.close();
            throw new ConnectFailure(Kind.REFUSED, "connect: nobody listens any more: name=" + socket, stale);
        } catch (IOException e) {
            channel.close();
            if (!SoftDirectory.exists(socket.getPath())) {
                throw new ConnectFailure(Kind.REFUSED, "connect: the listener is gone: name=" + socket, e);
            }
            // What the JDK knows has classes of its own; what is left is EAGAIN, or no memory in the kernel.
            boolean full = e.getClass() == SocketException.class;
            throw new ConnectFailure(
                    full ? Kind.BACKLOG_FULL : Kind.FAILED, "connect: name=" + socket + ", " + e.getMessage(), e);
        }
    }

    @Override
    public DeviceListener listen(InetSocketAddress local, boolean dualStack, int backlog, EndpointParameters parameters)
            throws IOException {
        SoftListener listener = new SoftListener(
                directory, local, dualStack, backlog, parameters, localAddresses, cache, listeners::remove);
        listeners.add(listener);
        return listener;
    }

    @Override
    public ProgramAllocator programAllocator() {
        return arenas.own();
    }

    /** Removes the names of listeners, segments, arenas and signs that a program leaves open at the end of the JVM. */
    @Override
    public void close() {
        pool.removeNames();
        arenas.own().removeNames();
        signs.own().removeName();
        for (SoftListener listener : listeners) {
            listener.removeNames();
        }
    }
}
