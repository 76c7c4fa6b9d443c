package org.exsockets.verbs.disni.cm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.exsockets.observe.Log;
import org.exsockets.verbs.DirectAccess;
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
import org.exsockets.verbs.disni.data.DisniCompletionQueue;
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

    /** Null before {@link #attend}. */
    private volatile @Nullable Attendance attendance;

    @SuppressWarnings("NullAway.Init") // See above.
    DisniEndpoint(DeviceThread thread, long id, @Nullable DisniListener greeter, @Nullable Runnable onAnswer) {
        this.thread = thread;
        this.id = id;
        this.greeter = greeter;
        this.life = new EndpointLife(thread, id, onAnswer);
    }

    /** Makes queue pair and memory, and posts receives; after a failure {@link #abandon} gives back what was made. */
    void prepare(Adapter onAdapter, InetAddress remoteHost, EndpointParameters parameters, int receiveDepth)
            throws IOException {
        resources = new ConnectionResources(onAdapter, remoteHost);
        maxExposedBytes = parameters.maxExposedBytes();
        bell = Bell.open(thread.wakeUpNs());
        resources.make(id, new ConnectionSizes(parameters.exposedBytes(), receiveDepth));
        memory = resources.memory();
        queuePair = new DisniQueuePair(resources, bell, this);
        queuePair.completions().fillReceiveQueue();
        thread.addEndpoint(resources.cqHandle(), this);
        if (onAdapter.isGone()) {
            throw new IOException("the RDMA device is gone: " + onAdapter.name());
        }
    }

    PrivateDataDescriptor.Hello hello(int minVersion, int maxVersion, int clientPort, int serverPort) {
        return PrivateDataDescriptor.Hello.of(memory, minVersion, maxVersion, clientPort, serverPort);
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
            case CmEventDescriptor.ADDR_CHANGE -> probeNow();
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
        thread.limit(this, State.CONNECTING.limitNs);
    }

    // The end.

    @Override
    public void disconnect(DisconnectReason reason, long lastWord) {
        queuePair.enterError();
        if (!life.beginFarewell(reason)) {
            return;
        }
        boolean posted = queuePair.postFarewell(reason, lastWord);
        thread.submit(posted ? this::awaitFarewell : this::leave);
    }

    private void awaitFarewell() {
        if (life.now() == State.FAREWELL) {
            thread.limit(this, State.FAREWELL.limitNs);
            queuePair.completions().armAndHarvest();
        }
    }

    @Override
    public void watchPeer() {
        thread.submit(() -> thread.probeLater(this));
    }

    @Override
    public void keepAlive(int idleSeconds) {
        thread.submit(() -> thread.keepAlive(this, idleSeconds));
    }

    /** Device thread. {@return whether to go on probing} */
    boolean probe() {
        return life.now() == State.ESTABLISHED && queuePair.probe(peer.exposedAddress(), peer.exposedKey());
    }

    /** Device thread: a peer that does not answer any more shows as a failed request. */
    void probeNow() {
        if (life.now() == State.ESTABLISHED) {
            queuePair.probeNow(peer.exposedAddress(), peer.exposedKey());
        }
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
        DisniCompletionQueue completions = queuePair.completions();
        attendance = new Attendance(completions::requestSolicited, whoLooks, System::nanoTime);
        completions.requestSolicited();
        if (!completions.isEmpty()) {
            thread.submit(this::attendLater); // A message may have come before.
        }
    }

    /** Device thread. */
    private void attendLater() {
        Attendance due = attendance;
        if (due != null && due.begin()) {
            thread.attendLater(due);
        }
    }

    /** Device thread: something has completed. */
    void onCompletionEvent() {
        if (destroyed) {
            return;
        }
        queuePair.completions().tookEvent();
        attendLater();
        if (life.now() == State.FAREWELL) {
            queuePair.completions().armAndHarvest();
        }
        if (life.now() == State.DRAINING) {
            drain();
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
        thread.limit(this, State.LEFT.limitNs);
    }

    /** Device thread: what was waited for has not come within its limit. */
    void onLimit() {
        Log.debug("no answer of the peer's device in time: state=" + life.now() + ", " + this);
        switch (life.now()) {
            case CONNECTING -> failGreeting();
            case FAREWELL -> leave();
            case DRAINING -> endDrain();
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
        State before = life.onDisconnected();
        if (before == null) {
            return;
        }
        queuePair.beginDrain();
        if (before != State.LEFT) {
            disconnectId();
        }
        thread.limit(this, State.DRAINING.limitNs);
        drain();
    }

    /** The queue pair is in the error state: what the peer has sent, its farewell at last, completes, or is flushed. */
    private void drain() {
        if (!queuePair.isDrained()) {
            queuePair.completions().armForDevice();
            if (!queuePair.isDrained()) {
                return; // The next completion event, or the limit.
            }
        }
        endDrain();
    }

    private void endDrain() {
        if (life.onDrained()) {
            thread.unlimit(this);
            queuePair.endDrain();
            destroyIfOver();
        }
    }

    /** A client that connects, writes and leaves at once may disconnect before the kernel reports it as established. */
    private boolean establishedAfterAll() {
        queuePair.completions().harvest();
        if (queuePair.peerReason() == DisconnectReason.NONE) {
            return false;
        }
        life.establish();
        thread.unlimit(this);
        Objects.requireNonNull(greeter).established(this);
        return true;
    }

    @Override
    public boolean delivered() {
        return life.now().compareTo(State.LEFT) >= 0;
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
        if (attendance != null) {
            attendance.end();
        }
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
