package org.exsockets.verbs.disni;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.jdk.ShortSleeps;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.ExposedRegion;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;

/**
 * One end of a connection over an RDMA adapter, from the connection manager's id to the last resource given back.
 *
 * <pre>
 *   state        trigger                                               next
 *   CONNECTING   ESTABLISHED                                           ESTABLISHED
 *   CONNECTING   refused, timed out, given up                          OVER
 *   ESTABLISHED  disconnect by the upper layer: farewell posted        FAREWELL
 *   ESTABLISHED  given up                                              LEFT (rdma_disconnect)
 *   ESTABLISHED  DISCONNECTED: answered with rdma_disconnect           OVER
 *   FAREWELL     farewell completed, failed, or not within its limit   LEFT (rdma_disconnect)
 *   FAREWELL     DISCONNECTED: answered with rdma_disconnect           OVER
 *   LEFT         DISCONNECTED, or not within its limit                 OVER
 *   any          DEVICE_REMOVAL                                        OVER
 * </pre>
 *
 * <p>In OVER, once the upper layer has released the endpoint, everything is destroyed. The state is changed on the
 * device's thread, except by {@link #disconnect} and {@link #abandon}; {@link #lock} guards it.
 */
final class DisniEndpoint implements Endpoint, DeviceThread.IdOwner {
    enum State {
        CONNECTING,
        ESTABLISHED,
        FAREWELL,
        LEFT,
        OVER
    }

    /** The peer's device acknowledges a farewell without its program: a longer silence means a host that is down. */
    private static final long FAREWELL_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    /** What the connection manager needs for the exchange, repetitions included. */
    private static final long LEAVE_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    /** The device's thread may pass on a timely answer this late, if it has a hundred clients to accept. */
    private static final long LAST_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** How long the peer may still write after the end of the connection, so that the last bytes get to it. */
    private static final long SEVER_LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long SEVER_LOOK_NS = 20_000;

    /** How long to wait for a client's answer: the client may have ended. */
    private static final long GREETING_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    /**
     * On soft-RoCE, streams of 256 KiB and more were up to 1.8 times as fast by direct transfers, for 76 to 88 % of the
     * CPU; those of 128 KiB had 0.4 times the rate.
     */
    private static final int MIN_DIRECT_BYTES = 256 * 1024;

    /** The listener an endpoint belongs to until it is established. Called on the device's thread. */
    interface Greeter {
        void established(DisniEndpoint endpoint);

        void failed(DisniEndpoint endpoint);
    }

    private final DeviceThread thread;
    private final long id;
    private final Greeter greeter;

    /** Never held during a call that blocks. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private State state = State.CONNECTING;

    @GuardedBy("lock")
    private int lastEvent = -1;

    @GuardedBy("lock")
    private int lastStatus;

    /** All events before the end of the time for an answer have been passed on. */
    @GuardedBy("lock")
    private boolean heard;

    @GuardedBy("lock")
    private PrivateDataDescriptor.Rejection rejection = PrivateDataDescriptor.Rejection.UNKNOWN;

    /** Written under the lock before the endpoint is handed out; afterwards read without it. */
    private PrivateDataDescriptor.Hello peer;

    @GuardedBy("lock")
    private boolean leaving;

    @GuardedBy("lock")
    private DisconnectReason farewellReason;

    @GuardedBy("lock")
    private boolean released;

    /** The device thread's. */
    private boolean destroyed;

    // Written before the endpoint is handed out.
    private ConnectionResources resources;
    private ConnectionMemory memory;
    private int maxExposedBytes;
    private Bell bell;
    private DisniQueuePair queuePair;
    private int version;
    private InetSocketAddress local;
    private InetSocketAddress remote;

    /** Runs after each completion event; the CQ stays armed for solicited ones. Null before {@link #attend}. */
    private volatile Runnable attendant;

    /** The peer's last word; written before {@link #peerReason}. */
    private long peerLastWord;

    private volatile DisconnectReason peerReason = DisconnectReason.NONE;

    /** @param greeter null for the end that connects */
    DisniEndpoint(DeviceThread thread, long id, Greeter greeter) {
        this.thread = thread;
        this.id = id;
        this.greeter = greeter;
    }

    /**
     * Makes queue pair and memory; receives are posted.
     *
     * @throws IOException if the adapter has no resources left; {@link #abandon} gives back what has been made
     */
    void prepare(Adapter onAdapter, InetAddress remoteHost, EndpointParameters parameters, int receiveDepth)
            throws IOException {
        resources = new ConnectionResources(onAdapter, remoteHost);
        maxExposedBytes = parameters.maxExposedBytes();
        bell = openBell(thread.wakeUpNs());
        resources.make(id, parameters.exposedBytes(), receiveDepth);
        memory = resources.memory();
        queuePair = new DisniQueuePair(resources, this);
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
            throw new VerbsException("pipe", VerbsException.EMFILE, e.getMessage());
        }
    }

    /** {@return this end's part of the hand-shake} */
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
        lock.lock();
        try {
            peer = other;
        } finally {
            lock.unlock();
        }
        version = commonVersion;
        local = own;
        remote = theirs;
    }

    long id() {
        return id;
    }

    Bell bell() {
        return bell;
    }

    // Connecting.

    /** What a wait for the connection manager has brought. */
    record Answer(
            int event, int status, PrivateDataDescriptor.Rejection rejection, PrivateDataDescriptor.Hello hello) {}

    /**
     * Waits for the next event of the connection manager. One that has come in time counts, even if the thread passes
     * it on late, being busy with clients of this process.
     *
     * @return the event, or null if there is none in time
     */
    Answer await(long deadlineNs) {
        Answer answer = awaitUntil(deadlineNs);
        if (answer == null) {
            thread.whenHeard(this::onHeard);
            answer = awaitUntil(System.nanoTime() + LAST_LOOK_NS);
        }
        return answer;
    }

    private void onHeard() {
        lock.lock();
        try {
            heard = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Answer awaitUntil(long deadlineNs) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (lastEvent < 0) {
                long remainingNs = deadlineNs - System.nanoTime();
                if (remainingNs <= 0 || heard) {
                    return null;
                }
                try {
                    changed.awaitNanos(remainingNs);
                } catch (InterruptedException e) {
                    interrupted = true; // The connect is bounded in time; TCP follows if it fails.
                }
            }
            int event = lastEvent;
            lastEvent = -1;
            return new Answer(event, lastStatus, rejection, peer);
        } finally {
            lock.unlock();
            if (interrupted) {
                Threads.restoreInterrupt();
            }
        }
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
        boolean connecting = state() == State.CONNECTING;
        note(type, status, event);
        if (!connecting) {
            // A late rejection, or another unexpected event: the connection is lost, and its owner ends it.
            if (type != CmEventDescriptor.ESTABLISHED && queuePair != null) {
                Log.debug("unexpected event of the connection manager: type=" + type + ", " + this);
                queuePair.enterError();
                broken();
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
        greeter.failed(this);
    }

    private void note(int type, int status, ByteBuffer event) {
        int length = event.getInt(CmEventDescriptor.PRIVATE_LENGTH_OFFSET);
        lock.lock();
        try {
            lastEvent = type;
            lastStatus = status;
            if (type == CmEventDescriptor.REJECTED) {
                rejection = PrivateDataDescriptor.decodeRejection(event, CmEventDescriptor.PRIVATE_DATA_OFFSET, length);
            } else if (type == CmEventDescriptor.ESTABLISHED && state == State.CONNECTING) {
                state = State.ESTABLISHED;
                if (peer == null) {
                    peer = PrivateDataDescriptor.decode(event, CmEventDescriptor.PRIVATE_DATA_OFFSET, length);
                }
            }
        } catch (IllegalArgumentException notExs) {
            Log.debug("connect: " + notExs.getMessage() + ", id=" + id);
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    /** Gives up an endpoint that has not been handed out. */
    void abandon() {
        lock.lock();
        try {
            released = true;
            if (state == State.CONNECTING) {
                state = State.OVER;
            }
        } finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            state = State.OVER;
            destroyed = true;
        } finally {
            lock.unlock();
        }
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

    void disconnect(DisconnectReason reason, long lastWord) {
        queuePair.enterError();
        lock.lock();
        try {
            if (leaving) {
                return;
            }
            leaving = true;
            if (state != State.ESTABLISHED) {
                return;
            }
            thread.addFarewell(); // Before the state is visible: a thread that sees it may remove the farewell.
            state = State.FAREWELL;
            farewellReason = reason;
        } finally {
            lock.unlock();
        }
        boolean posted = queuePair.postFarewell(reason, lastWord, peer.farewellAddress(), peer.farewellKey());
        thread.submit(() -> awaitFarewell(posted));
    }

    private void awaitFarewell(boolean posted) {
        if (!posted) {
            leave();
            return;
        }
        if (state() == State.FAREWELL) {
            thread.limit(this, FAREWELL_LIMIT_NS);
            queuePair.completions().requestNotification();
            queuePair.completions().harvest();
        }
    }

    private State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** Any thread: the peer has no room; see {@link DisniQueuePair#awaitPeer}. */
    void watchPeer() {
        thread.submit(() -> thread.probeLater(this));
    }

    /** Device thread. {@return whether to go on probing} */
    boolean probe() {
        return state() == State.ESTABLISHED && queuePair.probe(peer.farewellAddress(), peer.farewellKey());
    }

    /** A harvester: everything has arrived at the peer, or never will. */
    void farewellCompleted() {
        thread.submit(this::leave);
    }

    @Override
    public int minDirectBytes() {
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
        Runnable attendant = this.attendant;
        if (attendant != null) {
            // Before any thread polls: what comes from now on makes the next event.
            queuePair.completions().requestSolicited();
        }
        bell.ring();
        if (attendant != null) {
            attendant.run();
        }
        if (state() == State.FAREWELL) {
            queuePair.completions().harvest();
            if (state() == State.FAREWELL) {
                queuePair.completions().requestNotification();
                queuePair.completions().harvest();
            }
        }
    }

    /** Device thread: disconnects if that has not happened yet. */
    private void leave() {
        boolean farewell;
        lock.lock();
        try {
            if (state != State.FAREWELL && state != State.ESTABLISHED) {
                return;
            }
            farewell = state == State.FAREWELL;
            state = State.LEFT;
        } finally {
            lock.unlock();
        }
        disconnectId();
        if (farewell) {
            thread.removeFarewell();
        }
        thread.limit(this, LEAVE_LIMIT_NS);
    }

    /** Device thread: what was waited for has not come within its limit. */
    void onLimit() {
        Log.debug("no answer of the peer's device in time: state=" + state() + ", " + this);
        switch (state()) {
            case CONNECTING -> failGreeting();
            case FAREWELL -> leave();
            default -> onDisconnected();
        }
    }

    @GuardedBy("lock")
    private void farewellOver() {
        if (state == State.FAREWELL) {
            thread.removeFarewell();
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
        if (state() == State.CONNECTING && greeter != null && !establishedAfterAll()) {
            failGreeting();
            return;
        }
        boolean answer;
        lock.lock();
        try {
            if (state == State.OVER || state == State.CONNECTING) {
                return;
            }
            answer = state != State.LEFT;
            farewellOver();
            state = State.OVER;
            readFarewell();
        } finally {
            lock.unlock();
        }
        if (answer) {
            disconnectId();
        }
        queuePair.enterError();
        bell.hangUp();
        destroyIfOver();
    }

    /** A client that connects, writes and leaves at once may disconnect before the kernel reports it as established. */
    private boolean establishedAfterAll() {
        lock.lock();
        try {
            readFarewell();
            if (peerReason == DisconnectReason.NONE) {
                return false;
            }
            state = State.ESTABLISHED;
        } finally {
            lock.unlock();
        }
        thread.unlimit(this);
        greeter.established(this);
        return true;
    }

    /** {@return whether everything of this end has reached the peer, or never will} */
    boolean delivered() {
        State now = state();
        return now == State.LEFT || now == State.OVER;
    }

    private void readFarewell() {
        ByteBuffer words = memory.farewell();
        int reason = words.getInt(FarewellDescriptor.REASON_OFFSET);
        if (reason != 0) {
            peerLastWord = words.getLong(FarewellDescriptor.LAST_WORD_OFFSET);
            peerReason = DisconnectReason.of(reason - 1);
        }
    }

    boolean uses(Adapter candidate) {
        return resources != null && resources.adapter() == candidate;
    }

    /** Device thread: an event of this id, or of the adapter, reports the removal. */
    void onDeviceRemoved() {
        boolean greeting;
        lock.lock();
        try {
            greeting = state == State.CONNECTING && greeter != null;
            farewellOver();
            state = State.OVER;
            lastEvent = CmEventDescriptor.DEVICE_REMOVAL;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (queuePair != null) {
            queuePair.enterError();
            bell.hangUp();
        }
        if (greeting) {
            failGreeting();
        }
        destroyIfOver();
    }

    /** Any thread: the queue pair is in the error state, so that nothing arrives any more. */
    void broken() {
        bell.hangUp();
    }

    @Override
    public void release() {
        lock.lock();
        try {
            if (released) {
                return;
            }
            released = true;
        } finally {
            lock.unlock();
        }
        bell.close();
        thread.submit(this::destroyIfOver);
    }

    /** Device thread. */
    private void destroyIfOver() {
        lock.lock();
        try {
            if (state != State.OVER || !released || destroyed) {
                return;
            }
            destroyed = true;
        } finally {
            lock.unlock();
        }
        giveBack();
        try {
            Verbs.destroyId(id);
        } catch (VerbsException e) {
            Log.debug("destroy id: " + e.getMessage());
        }
    }

    private void giveBack() {
        thread.forget(this, resources == null ? 0 : resources.cqHandle());
        if (resources != null) {
            resources.giveBack();
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
    public long remoteAddress() {
        return peer.exposedAddress();
    }

    @Override
    public int remoteKey() {
        return peer.exposedKey();
    }

    @Override
    public int remoteLength() {
        return peer.exposedLength();
    }

    @Override
    public int maxExposedBytes() {
        return maxExposedBytes;
    }

    @Override
    public ExposedRegion expose(int lengthBytes) {
        return resources.regions().expose(lengthBytes);
    }

    @Override
    public boolean reach(long address, int key, int lengthBytes) {
        return true; // Adapters need no preparation.
    }

    @Override
    public ProgramMemory registered(ByteBuffer programs, int offset, int length) {
        return resources.adapter().registrations().take(programs, offset, length, resources.peerHost());
    }

    @Override
    public ProgramMemory register(ByteBuffer programs, int offset, int length) {
        return resources.adapter().registrations().takeAll(programs, offset, length, resources.peerHost());
    }

    @Override
    public ProgramMemory sendable(ByteBuffer programs, int offset, int length) {
        return resources.adapter().registrations().take(programs, offset, length, null);
    }

    @Override
    public boolean reaches(long address, int rkey, long length) {
        return true; // As for reach().
    }

    @Override
    public void sever() {
        awaitFarewell();
        queuePair.sever();
    }

    /** Lets an orderly farewell arrive, with all bytes before it: the error state flushes what is not acknowledged. */
    private void awaitFarewell() {
        new ShortSleeps(SEVER_LOOK_NS) {
            @Override
            protected boolean isOver() {
                return !isLeavingInOrder();
            }
        }.await(SEVER_LIMIT_NS);
    }

    private boolean isLeavingInOrder() {
        lock.lock();
        try {
            return state == State.FAREWELL && farewellReason == DisconnectReason.ORDERLY;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int receiveDepth() {
        return memory.receiveDepth();
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
    public InetSocketAddress remoteSocketAddress() {
        return remote;
    }

    DisconnectReason peerReason() {
        return peerReason;
    }

    long peerLastWord() {
        return peerLastWord;
    }

    @Override
    public String toString() {
        return "local=" + local + ", remote=" + remote + ", id=" + id;
    }
}
