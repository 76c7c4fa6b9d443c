package org.exsockets.verbs.disni.cm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.jdk.ShortSleeps;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.disni.CmEventDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The state of one end of a connection, and what the connection manager has answered while it connects. It changes and
 * tells the state; {@link DisniEndpoint} does what follows from that.
 *
 * <pre>
 *   state        trigger                                               next
 *   CONNECTING   ESTABLISHED                                           ESTABLISHED
 *   CONNECTING   refused, timed out, given up                          OVER
 *   ESTABLISHED  disconnect by the upper layer: farewell posted        FAREWELL
 *   ESTABLISHED  given up                                              LEFT (rdma_disconnect)
 *   ESTABLISHED  DISCONNECTED: answered with rdma_disconnect           DRAINING
 *   FAREWELL     farewell completed, failed, or not within its limit   LEFT (rdma_disconnect)
 *   FAREWELL     DISCONNECTED: answered with rdma_disconnect           DRAINING
 *   LEFT         DISCONNECTED, or not within its limit                 DRAINING
 *   DRAINING     the peer's farewell is there, or all receives have    OVER
 *                come back without it; or not within a limit
 *   any          DEVICE_REMOVAL                                        OVER
 * </pre>
 *
 * <p>In OVER, once the upper layer has released the endpoint, everything is destroyed. The state is changed on the
 * device's thread, except by {@link #beginFarewell} and {@link #abandon}, always under {@link #lock}.
 */
final class EndpointLife {
    enum State {
        /**
         * How long to wait for a client's answer: the client may have ended. If its answer was lost, it believes that
         * it is connected; the connection manager asks again after 4.3 s, and once more.
         */
        CONNECTING(10),
        ESTABLISHED(0),
        /** The peer's device acknowledges a farewell without its program: a longer silence is a host that is down. */
        FAREWELL(10),
        /** What the connection manager needs for the exchange, repetitions included. */
        LEFT(5),
        /** Flushing is the adapter's own work; it depends on no peer and no network. */
        DRAINING(2),
        OVER(0);

        /** How long it may take; 0: nothing is waited for. */
        final long limitNs;

        State(int limitSeconds) {
            limitNs = TimeUnit.SECONDS.toNanos(limitSeconds);
        }
    }

    /** The device's thread may pass on a timely answer this late, if it has a hundred clients to accept. */
    private static final long LAST_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** How long the peer may still write after the end of the connection, so that the last bytes get to it. */
    private static final long SEVER_LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long SEVER_LOOK_NS = 20_000;

    private final DeviceThread thread;
    private final long id;

    /** For the thread that connects: it need not have come back when the peer's program knows of the connection. */
    private final @Nullable Runnable onAnswer;

    /** Never held during a call that blocks. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    /** Written under {@link #lock}. */
    private volatile State state = State.CONNECTING;

    @GuardedBy("lock")
    private int lastEvent = -1;

    @GuardedBy("lock")
    private int lastStatus;

    /** All events before the end of the time for an answer have been passed on. */
    @GuardedBy("lock")
    private boolean heard;

    @GuardedBy("lock")
    private PrivateDataDescriptor.Rejection rejection = PrivateDataDescriptor.Rejection.UNKNOWN;

    @GuardedBy("lock")
    private PrivateDataDescriptor.@Nullable Hello peer;

    @GuardedBy("lock")
    private boolean leaving;

    /** Written before the state is FAREWELL. */
    private @Nullable DisconnectReason farewellReason;

    /** Written under {@link #lock}. */
    private volatile boolean released;

    EndpointLife(DeviceThread thread, long id, @Nullable Runnable onAnswer) {
        this.thread = thread;
        this.id = id;
        this.onAnswer = onAnswer;
    }

    State now() {
        return state;
    }

    // Connecting.

    record Answer(
            int event,
            int status,
            PrivateDataDescriptor.Rejection rejection,
            PrivateDataDescriptor.@Nullable Hello hello) {}

    /**
     * {@return the next event of the connection manager; null if there is none in time} One that has come in time
     * counts, even if the thread passes it on late, being busy with clients of this process.
     */
    @Nullable
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

    private @Nullable Answer awaitUntil(long deadlineNs) {
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

    /** Device thread: an event of the connection manager for {@link #await}. */
    void note(int type, int status, ByteBuffer event) {
        int length = event.getInt(CmEventDescriptor.PRIVATE_LENGTH_OFFSET);
        lock.lock();
        try {
            lastEvent = type;
            lastStatus = status;
            if (type == CmEventDescriptor.REJECTED) {
                rejection = PrivateDataDescriptor.decodeRejection(event, CmEventDescriptor.PRIVATE_DATA_OFFSET, length);
            } else if (type == CmEventDescriptor.ESTABLISHED && state == State.CONNECTING) {
                state = State.ESTABLISHED;
                if (onAnswer != null) {
                    onAnswer.run();
                }
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

    void meet(PrivateDataDescriptor.Hello other) {
        lock.lock();
        try {
            peer = other;
        } finally {
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
    }

    // The end.

    /** {@return whether a farewell is to be posted; false if it was asked for before, or there is no connection} */
    boolean beginFarewell(DisconnectReason reason) {
        lock.lock();
        try {
            if (leaving) {
                return false;
            }
            leaving = true;
            if (state != State.ESTABLISHED) {
                return false;
            }
            // Before the state is visible: a thread that sees it may remove the farewell.
            thread.farewells.incrementAndGet();
            farewellReason = reason;
            state = State.FAREWELL;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** {@return the state before LEFT, which is entered; null if there is nothing to leave} */
    @Nullable
    State leave() {
        lock.lock();
        try {
            if (state != State.FAREWELL && state != State.ESTABLISHED) {
                return null;
            }
            State before = state;
            state = State.LEFT;
            return before;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void farewellOver() {
        if (state == State.FAREWELL) {
            thread.farewells.decrementAndGet();
        }
    }

    /**
     * The end has been reported, or waited for long enough. {@return the state before DRAINING, which is entered; null
     * if there was no connection, or its end is known}
     */
    @Nullable
    State onDisconnected() {
        lock.lock();
        try {
            if (state == State.OVER || state == State.CONNECTING || state == State.DRAINING) {
                return null;
            }
            State before = state;
            farewellOver();
            state = State.DRAINING;
            return before;
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether OVER is entered, from DRAINING} */
    boolean onDrained() {
        lock.lock();
        try {
            if (state != State.DRAINING) {
                return false;
            }
            state = State.OVER;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The end is reported before the beginning, but a farewell shows that there was a connection. */
    void establish() {
        lock.lock();
        try {
            state = State.ESTABLISHED;
        } finally {
            lock.unlock();
        }
    }

    /** {@return the state before OVER, which is entered} Wakes the thread that connects. */
    State onDeviceRemoved() {
        lock.lock();
        try {
            State before = state;
            farewellOver();
            state = State.OVER;
            lastEvent = CmEventDescriptor.DEVICE_REMOVAL;
            changed.signalAll();
            return before;
        } finally {
            lock.unlock();
        }
    }

    /** The upper layer uses the endpoint no more. {@return false if it has said so before} */
    boolean release() {
        lock.lock();
        try {
            boolean first = !released;
            released = true;
            return first;
        } finally {
            lock.unlock();
        }
    }

    boolean isOverAndReleased() {
        return state == State.OVER && released;
    }

    /** Lets an orderly farewell arrive, with all bytes before it: the error state flushes what is not acknowledged. */
    void awaitFarewell() {
        new ShortSleeps(SEVER_LOOK_NS) {
            @Override
            protected boolean isOver() {
                return state != State.FAREWELL || farewellReason != DisconnectReason.ORDERLY;
            }
        }.await(SEVER_LIMIT_NS);
    }
}
