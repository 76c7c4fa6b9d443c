package org.exsockets.verbs.disni.cm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.exsockets.observe.Log;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.DirectAccess.MemoryWindows;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.MoreRoom;
import org.exsockets.verbs.MoreRoom.ExposedRegion;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.RemoteRegion;
import org.exsockets.verbs.disni.CmEventDescriptor;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.exsockets.verbs.disni.cm.EndpointLife.State;
import org.exsockets.verbs.disni.data.Adapter;
import org.exsockets.verbs.disni.data.Bell;
import org.exsockets.verbs.disni.data.ConnectionResources;
import org.exsockets.verbs.disni.data.DisniQueuePair;
import org.exsockets.verbs.disni.data.QueuePairOwner;
import org.exsockets.verbs.disni.memory.ConnectionMemory;
import org.exsockets.verbs.disni.memory.ConnectionSizes;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection over an RDMA adapter, from the connection manager's id to the last resource given back: what
 * the upper layer uses of it, and what is done when its state changes, which is {@link EndpointLife}'s. The device's
 * thread does it, except for {@link #disconnect} and {@link #abandon}.
 */
final class DisniEndpoint implements Endpoint, DirectAccess, MoreRoom.Exposing, DeviceThread.IdOwner, QueuePairOwner {
    /** The peer's device acknowledges a farewell without its program: a longer silence means a host that is down. */
    private static final long FAREWELL_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    /** What the connection manager needs for the exchange, repetitions included. */
    private static final long LEAVE_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    /**
     * How long to wait for a client's answer: the client may have ended. If its answer was lost, it believes that it is
     * connected; the connection manager asks again after 4.3 s, and once more.
     */
    private static final long GREETING_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    /**
     * On soft-RoCE, streams of 256 KiB and more were up to 1.8 times as fast by direct transfers, for 76 to 88 % of the
     * CPU; those of 128 KiB had 0.4 times the rate.
     */
    private static final int MIN_DIRECT_BYTES = 256 * 1024;

    private final DeviceThread thread;
    final long id;
    /** The listener it belongs to until it is established; null for the end that connects. */
    private final @Nullable DisniListener greeter;

    private final EndpointLife life;

    /** The device thread's. */
    private boolean destroyed;

    // Written before the endpoint is handed out; null in one that has failed before.
    private ConnectionResources resources;
    private ConnectionMemory memory;
    private int maxExposedBytes;
    private Bell bell;
    private DisniQueuePair queuePair;
    private PrivateDataDescriptor.Hello peer;
    private int version;
    private InetSocketAddress local;
    private InetSocketAddress remote;

    /** Runs after each completion event; the CQ stays armed for solicited ones. Null before {@link #attend}. */
    private volatile @Nullable Runnable attendant;

    @SuppressWarnings("NullAway.Init") // See above.
    DisniEndpoint(DeviceThread thread, long id, @Nullable DisniListener greeter) {
        this.thread = thread;
        this.id = id;
        this.greeter = greeter;
        this.life = new EndpointLife(thread, id);
    }

    /** Makes queue pair and memory, and posts receives; after a failure {@link #abandon} gives back what was made. */
    void prepare(Adapter onAdapter, InetAddress remoteHost, EndpointParameters parameters, int receiveDepth)
            throws IOException {
        resources = new ConnectionResources(onAdapter, remoteHost);
        maxExposedBytes = parameters.maxExposedBytes();
        bell = openBell(thread.wakeUpNs());
        resources.make(id, new ConnectionSizes(parameters.exposedBytes(), receiveDepth));
        memory = resources.memory();
        queuePair = new DisniQueuePair(resources, bell, this);
        queuePair.completions().fillReceiveQueue();
        thread.addEndpoint(resources.cqHandle(), this);
        if (onAdapter.isGone()) {
            throw new IOException("the RDMA device is gone: " + onAdapter.name());
        }
    }

    private static Bell openBell(long wakeUpNs) throws VerbsException {
        try {
            return new Bell(wakeUpNs);
        } catch (IOException e) {
            throw new VerbsException("pipe", VerbsException.EMFILE, String.valueOf(e.getMessage()));
        }
    }

    PrivateDataDescriptor.Hello hello(int minVersion, int maxVersion, int clientPort, int serverPort) {
        return new PrivateDataDescriptor.Hello(
                minVersion,
                maxVersion,
                memory.receiveDepth(),
                memory.exposedAddress(),
                memory.exposedKey(),
                memory.exposedBytes(),
                memory.farewellAddress(),
                memory.farewellKey(),
                clientPort,
                serverPort);
    }

    /** The hand-shake is complete as far as this end knows. */
    void meet(PrivateDataDescriptor.Hello other, int commonVersion, InetSocketAddress own, InetSocketAddress theirs) {
        life.meet(other);
        peer = other;
        version = commonVersion;
        local = own;
        remote = theirs;
    }

    // Connecting.

    EndpointLife.@Nullable Answer await(long deadlineNs) {
        return life.await(deadlineNs);
    }

    @Override
    public void onCmEvent(int type, int status, ByteBuffer event) {
        switch (type) {
            case CmEventDescriptor.DISCONNECTED, CmEventDescriptor.TIMEWAIT_EXIT -> onDisconnected();
            case CmEventDescriptor.DEVICE_REMOVAL -> onDeviceRemoved();
            case CmEventDescriptor.ADDR_CHANGE -> Log.debug("address changed: " + this);
            default -> onProgress(type, status, event);
        }
    }

    private void onProgress(int type, int status, ByteBuffer event) {
        boolean connecting = life.now() == State.CONNECTING;
        life.note(type, status, event);
        if (!connecting) {
            // A late rejection, or another unexpected event: the connection is lost, and its owner ends it.
            if (type != CmEventDescriptor.ESTABLISHED && queuePair != null) {
                Log.debug("unexpected event of the connection manager: type=" + type + ", " + this);
                queuePair.enterError();
                bell.hangUp();
            }
        } else if (greeter != null) {
            if (type == CmEventDescriptor.ESTABLISHED) {
                thread.unlimit(this);
                greeter.established(this);
            } else {
                failGreeting();
            }
        }
    }

    private void failGreeting() {
        thread.unlimit(this);
        Objects.requireNonNull(greeter).failed(this);
    }

    /** Gives up an endpoint that has not been handed out. */
    void abandon() {
        life.abandon();
        if (bell != null) {
            bell.close();
        }
        thread.submit(() -> {
            leave();
            destroyIfOver();
        });
    }

    /** As {@link #abandon} for a request that is then rejected, for which its id stays. Device thread. */
    void abandonRequest() {
        life.abandon();
        destroyed = true;
        if (bell != null) {
            bell.close();
        }
        giveBack();
    }

    /** Device thread: the client is to answer within a limit. */
    void limitGreeting() {
        thread.limit(this, GREETING_LIMIT_NS);
    }

    // The end.

    @Override
    public void disconnect(DisconnectReason reason, long lastWord) {
        queuePair.enterError();
        if (!life.beginFarewell(reason)) {
            return;
        }
        boolean posted = queuePair.postFarewell(reason, lastWord, peer.farewellAddress(), peer.farewellKey());
        thread.submit(() -> awaitFarewell(posted));
    }

    private void awaitFarewell(boolean posted) {
        if (!posted) {
            leave();
            return;
        }
        if (life.now() == State.FAREWELL) {
            thread.limit(this, FAREWELL_LIMIT_NS);
            queuePair.completions().requestNotification();
            queuePair.completions().harvest();
        }
    }

    @Override
    public void watchPeer() {
        thread.submit(() -> thread.probeLater(this));
    }

    /** Device thread. {@return whether to go on probing} */
    boolean probe() {
        return life.now() == State.ESTABLISHED && queuePair.probe(peer.farewellAddress(), peer.farewellKey());
    }

    @Override
    public void farewellCompleted() {
        thread.submit(this::leave);
    }

    @Override
    public int minBytes() {
        return MIN_DIRECT_BYTES;
    }

    @Override
    public void attend(Runnable whoLooks) {
        attendant = whoLooks;
        queuePair.completions().requestSolicited();
        if (!queuePair.completions().isEmpty()) {
            whoLooks.run(); // A message may have come before.
        }
    }

    /** Device thread: something has completed. */
    void onCompletionEvent() {
        if (destroyed) {
            return;
        }
        queuePair.completions().tookEvent();
        Runnable attendant = this.attendant;
        if (attendant != null) {
            // Before any thread polls: what comes from now on makes the next event.
            queuePair.completions().requestSolicited();
        }
        bell.ring();
        if (attendant != null) {
            attendant.run();
        }
        if (life.now() == State.FAREWELL) {
            queuePair.completions().harvest();
            if (life.now() == State.FAREWELL) {
                queuePair.completions().requestNotification();
                queuePair.completions().harvest();
            }
        }
    }

    /** Device thread: disconnects if that has not happened yet. */
    private void leave() {
        State before = life.leave();
        if (before == null) {
            return;
        }
        disconnectId();
        if (before == State.FAREWELL) {
            thread.farewells.decrementAndGet();
        }
        thread.limit(this, LEAVE_LIMIT_NS);
    }

    /** Device thread: what was waited for has not come within its limit. */
    void onLimit() {
        Log.debug("no answer of the peer's device in time: state=" + life.now() + ", " + this);
        switch (life.now()) {
            case CONNECTING -> failGreeting();
            case FAREWELL -> leave();
            default -> onDisconnected();
        }
    }

    private void disconnectId() {
        try {
            Verbs.disconnect(id);
        } catch (VerbsException e) {
            // The device has been removed, or the peer disconnected first.
            Log.debug("disconnect: " + e.getMessage() + ", " + this);
        }
    }

    private void onDisconnected() {
        if (life.now() == State.CONNECTING && greeter != null && !establishedAfterAll()) {
            failGreeting();
            return;
        }
        State before = life.onDisconnected(queuePair);
        if (before == null) {
            return;
        }
        if (before != State.LEFT) {
            disconnectId();
        }
        queuePair.enterError();
        bell.hangUp();
        destroyIfOver();
    }

    /** A client that connects, writes and leaves at once may disconnect before the kernel reports it as established. */
    private boolean establishedAfterAll() {
        if (!life.tryEstablish(queuePair)) {
            return false;
        }
        thread.unlimit(this);
        Objects.requireNonNull(greeter).established(this);
        return true;
    }

    @Override
    public boolean delivered() {
        State now = life.now();
        return now == State.LEFT || now == State.OVER;
    }

    boolean uses(Adapter candidate) {
        return resources != null && resources.adapter() == candidate;
    }

    /** Device thread: an event of this id, or of the adapter, reports the removal. */
    void onDeviceRemoved() {
        State before = life.onDeviceRemoved();
        if (queuePair != null) {
            queuePair.enterError();
            bell.hangUp();
        }
        if (before == State.CONNECTING && greeter != null) {
            failGreeting();
        }
        destroyIfOver();
    }

    @Override
    public void release() {
        if (!life.release()) {
            return;
        }
        bell.close();
        thread.submit(this::destroyIfOver);
    }

    /** Device thread. */
    private void destroyIfOver() {
        if (destroyed || !life.isOverAndReleased()) {
            return;
        }
        destroyed = true;
        giveBack();
        DisniDevice.destroyId(id);
    }

    private void giveBack() {
        thread.forget(this, resources == null ? 0 : resources.cqHandle());
        if (resources != null) {
            resources.giveBack();
            if (resources.adapter().reportsLate()) {
                thread.afterLastEvent(resources::destroyCq);
            } else {
                resources.destroyCq();
            }
        }
    }

    // The connection.

    @Override
    public String device() {
        return DisniDevice.NAME;
    }

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public ByteBuffer exposed() {
        return memory.exposed();
    }

    @Override
    public RemoteRegion remote() {
        return new RemoteRegion(peer.exposedAddress(), peer.exposedKey(), peer.exposedLength());
    }

    @Override
    public MoreRoom moreRoom() {
        return this;
    }

    @Override
    public int maxBytes() {
        return maxExposedBytes;
    }

    @Override
    public @Nullable ExposedRegion expose(int fewestBytes, int mostBytes) {
        return resources.regions().expose(fewestBytes, mostBytes);
    }

    @Override
    public DirectAccess direct() {
        return this;
    }

    @Override
    public @Nullable ProgramMemory lease(ByteBuffer programs, int offset, int length) {
        return resources.adapter().registrations().take(programs, offset, length, resources.peerHost());
    }

    @Override
    public @Nullable ProgramMemory leaseWhole(ByteBuffer programs, int offset, int length) {
        return resources.adapter().registrations().takeAll(programs, offset, length, resources.peerHost());
    }

    @Override
    public @Nullable ProgramMemory leaseToSend(ByteBuffer programs, int offset, int length) {
        return resources.adapter().registrations().take(programs, offset, length, null);
    }

    @Override
    public boolean reach(long address, int rkey, long length) {
        return true; // Adapters need no preparation.
    }

    @Override
    public @Nullable MemoryWindows windows() {
        return null;
    }

    @Override
    public @Nullable ByteBuffer detach(ByteBuffer programs, int offset, int length) {
        return null; // The adapter goes on writing to the pages that it knows.
    }

    @Override
    public void takeAway(ByteBuffer programs, int offset, int length) {
        life.awaitFarewell();
        queuePair.sever();
    }

    @Override
    public int receiveDepth() {
        // The end that connects has made what it asked for before it knows what the other grants.
        return Math.min(memory.receiveDepth(), peer.receiveDepth());
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public String toString() {
        return "local=" + local + ", remote=" + remote + ", id=" + id;
    }
}
