package org.exsockets.verbs.disni.cm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.exsockets.observe.Log;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.disni.CmEventDescriptor;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.exsockets.verbs.disni.data.Adapter;
import org.exsockets.verbs.disni.data.Bell;
import org.exsockets.verbs.disni.memory.LockedMemory;
import org.jspecify.annotations.Nullable;

/**
 * A listener: requests are answered on the device's thread, as the kernel answers TCP's. The connections wait here
 * until the program accepts them.
 */
final class DisniListener implements DeviceListener, DeviceThread.IdOwner {
    /**
     * Bound of connections that are answered and not established, as the kernel bounds those of TCP apart from the
     * backlog: clients that come all at once are answered before the first of them can be established.
     */
    private static final int MAX_GREETED = 1_024;

    private final DisniDevice device;
    private final DeviceThread thread;
    final long id;
    private final InetSocketAddress local;
    private final int port;
    private final int backlog;
    private final EndpointParameters parameters;
    private final Bell bell;
    private final ConcurrentLinkedQueue<DisniEndpoint> waiting = new ConcurrentLinkedQueue<>();

    /** Guards {@link #closed} and the numbers against a request that is just being answered. */
    private final Object closing = new Object();

    @GuardedBy("closing")
    private boolean closed;

    /** Connections that have been answered and are not established yet. */
    @GuardedBy("closing")
    private int greeted;

    /** Those in {@link #waiting}, or about to be taken out. */
    @GuardedBy("closing")
    private int unaccepted;

    DisniListener(
            DisniDevice device,
            DeviceThread thread,
            long id,
            InetSocketAddress local,
            int backlog,
            EndpointParameters parameters,
            Bell bell) {
        this.device = device;
        this.thread = thread;
        this.id = id;
        this.local = local;
        this.port = local.getPort();
        this.backlog = Math.max(1, backlog);
        this.parameters = parameters;
        this.bell = bell;
    }

    @Override
    public String device() {
        return DisniDevice.NAME;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public void onCmEvent(int type, int status, ByteBuffer event) {
        if (type == CmEventDescriptor.CONNECT_REQUEST) {
            long requested = event.getLong(CmEventDescriptor.ID_OFFSET);
            PrivateDataDescriptor.Rejection rejection = answer(requested, event);
            if (rejection != null) {
                reject(requested, rejection);
            }
        } else if (type == CmEventDescriptor.DEVICE_REMOVAL) {
            Log.warn("listen on port " + port + ": the RDMA device was removed; connections come over TCP only");
            thread.submit(this::close);
        }
    }

    /** {@return why the request is to be rejected; null if it has been answered} */
    private PrivateDataDescriptor.@Nullable Rejection answer(long requested, ByteBuffer event) {
        PrivateDataDescriptor.Hello hello;
        try {
            hello = PrivateDataDescriptor.decode(
                    event,
                    CmEventDescriptor.PRIVATE_DATA_OFFSET,
                    event.getInt(CmEventDescriptor.PRIVATE_LENGTH_OFFSET));
            check(hello);
        } catch (IllegalArgumentException e) {
            Log.warnOnce(
                    "disni-refused",
                    "accept over disni: request refused: " + e.getMessage() + " (further ones at debug)");
            Log.debug("accept over disni: request refused: " + e.getMessage());
            return PrivateDataDescriptor.Rejection.MALFORMED;
        }
        int common = Math.min(hello.maxVersion(), parameters.maxVersion());
        if (common < hello.minVersion() || common < parameters.minVersion()) {
            int own = parameters.maxVersion() / EndpointParameters.VERSIONS_PER_PROTOCOL;
            return hello.maxVersion() / EndpointParameters.VERSIONS_PER_PROTOCOL == own
                    ? PrivateDataDescriptor.Rejection.VERSION
                    : PrivateDataDescriptor.Rejection.OTHER_PROTOCOL;
        }
        synchronized (closing) {
            if (closed || unaccepted >= backlog || greeted >= MAX_GREETED) {
                return PrivateDataDescriptor.Rejection.BACKLOG_FULL;
            }
            greeted++;
        }
        if (!accept(requested, hello, common)) {
            greetedNoMore();
        }
        return null;
    }

    private void check(PrivateDataDescriptor.Hello hello) {
        int depth = hello.receiveDepth();
        int length = hello.exposedLength();
        if (depth < EndpointParameters.MIN_RECEIVE_DEPTH || depth > EndpointParameters.MAX_RECEIVE_DEPTH) {
            throw new IllegalArgumentException("bad receive depth: " + depth);
        }
        if (!EndpointParameters.isPowerOfTwo(
                length, EndpointParameters.MIN_EXPOSED_BYTES, EndpointParameters.MAX_EXPOSED_BYTES)) {
            throw new IllegalArgumentException("bad length of exposed memory: " + length);
        }
        if (hello.serverPort() != port) {
            throw new IllegalArgumentException("not a port of this listener: " + hello.serverPort());
        }
    }

    /** {@return false if it has been rejected} */
    private boolean accept(long requested, PrivateDataDescriptor.Hello hello, int common) {
        DisniEndpoint endpoint = new DisniEndpoint(thread, requested, this, null);
        thread.own(requested, endpoint);
        try {
            InetSocketAddress client = DisniDevice.address(Verbs.destinationAddress(requested), hello.clientPort());
            InetSocketAddress server = DisniDevice.address(Verbs.sourceAddress(requested), port);
            Adapter adapter = device.adapterOf(requested);
            // Not what the client asks for: it would choose how much memory this process locks for it.
            int depth = Math.min(hello.receiveDepth(), parameters.receiveDepth());
            endpoint.prepare(adapter, client.getAddress(), parameters, depth);
            endpoint.meet(hello, common, server, client);
            byte[] own = PrivateDataDescriptor.encode(endpoint.hello(common, common, hello.clientPort(), port));
            DisniDevice.setAckTimeout(requested);
            Verbs.accept(requested, own, DisniDevice.RNR_RETRIES);
            endpoint.limitGreeting();
            return true;
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            endpoint.abandonRequest();
            boolean locked = e instanceof IOException io && LockedMemory.isLacking(io, Path.of("/"));
            boolean waited = reject(
                    requested,
                    locked
                            ? PrivateDataDescriptor.Rejection.LOCKED_MEMORY
                            : PrivateDataDescriptor.Rejection.NO_RESOURCES);
            // For a request that its client has taken back the kernel refuses everything, from the queue pair on.
            if (waited) {
                Log.warnOnce(
                        "disni-resources",
                        "accept over disni: no resources, the peer falls back to TCP: " + e.getMessage());
            }
            Log.debug("accept over disni: " + e.getMessage());
            return false;
        }
    }

    /** Device thread. */
    void established(DisniEndpoint endpoint) {
        synchronized (closing) {
            greeted--;
            if (!closed) {
                unaccepted++;
                waiting.add(endpoint);
                bell.ring();
                return;
            }
        }
        endpoint.discard();
    }

    /** Device thread. */
    void failed(DisniEndpoint endpoint) {
        greetedNoMore();
        endpoint.abandon();
    }

    /** {@return false if the client has given up} */
    private boolean reject(long requested, PrivateDataDescriptor.Rejection rejection) {
        thread.disown(requested);
        boolean waits = true;
        try {
            Verbs.reject(requested, PrivateDataDescriptor.encode(rejection));
        } catch (VerbsException e) {
            Log.debug("reject: the client has given up: " + e.getMessage());
            waits = false;
        }
        DisniDevice.destroyId(requested);
        return waits;
    }

    private void greetedNoMore() {
        synchronized (closing) {
            greeted--;
        }
    }

    @Override
    public SelectableChannel selectable() {
        return bell.selectable();
    }

    @Override
    public @Nullable Endpoint tryAccept() throws IOException {
        synchronized (closing) {
            if (closed) {
                throw new IOException("accept: the listener is closed: port=" + port);
            }
        }
        DisniEndpoint endpoint = waiting.poll();
        if (waiting.isEmpty()) {
            bell.drain();
            if (!waiting.isEmpty()) {
                bell.ring();
            }
        }
        if (endpoint != null) {
            synchronized (closing) {
                unaccepted--;
            }
        }
        return endpoint;
    }

    @Override
    public void close() {
        synchronized (closing) {
            if (closed) {
                return;
            }
            closed = true;
            // A thread that finds the listener closed finds its channel closed, too.
            bell.close();
        }
        thread.disown(id);
        DisniDevice.destroyId(id);
        for (DisniEndpoint endpoint; (endpoint = waiting.poll()) != null; ) {
            endpoint.discard();
        }
    }
}
