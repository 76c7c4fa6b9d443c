package org.exsockets.socket;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.exsockets.config.DirectMode;
import org.exsockets.stream.Receive;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.ProgramMemory;

/**
 * A blocking read whose buffer is advertised to the peer while the call waits. Belongs to the holder of the read lock, but
 * for {@link #isActive} and {@link #isOver}.
 *
 * <p>The call returns only when the peer cannot write to the buffer any more: because bytes have come, or the peer has
 * answered a CANCEL, or, if it does not answer in time, because the memory was taken away from it. Where a device cannot
 * do that, the connection is reset.
 */
final class DirectReads {
    /** The peer answers at once if its program is in a call on the connection; if not, it may take as long as it likes. */
    private static final long ANSWER_LIMIT_NS = 5_000_000;

    /** Where the memory cannot be taken away, the connection is lost without an answer. */
    private static final long LAST_ANSWER_LIMIT_NS = 5_000_000_000L;

    private static final long SPIN_FOR_ANSWER_NS = 20_000;
    private static final long PARK_FOR_ANSWER_NS = 50_000;

    private final ExsConnection connection;
    private final Endpoint endpoint;
    private final StreamEngine engine;
    private final DirectReadPolicy policy = new DirectReadPolicy();

    /** Made when it is first needed: most connections never do. */
    private Receive receive;

    private ProgramMemory registration;

    /**
     * Whether a receive is posted. Set before the reader looks whether the program has closed; who closes looks here after
     * it has said so. So either the reader does not post, or the close is completed by the reader.
     */
    private volatile boolean active;

    DirectReads(ExsConnection connection, Endpoint endpoint, StreamEngine engine) {
        this.connection = connection;
        this.endpoint = endpoint;
        this.engine = engine;
    }

    /** {@return whether the buffer of a reader is, or may be, advertised; any thread} */
    boolean isActive() {
        return active;
    }

    /** {@return whether the posted receive needs the reader's attention; any thread} */
    boolean isOver() {
        return active && receive.isDone();
    }

    /** Nothing has arrived that {@code target} could take: advertises it if that may pay. {@return whether it has} */
    boolean begin(ByteBuffer target) {
        if (!target.isDirect() || !permitted() || !policy.wants(target.remaining())) {
            return false;
        }
        int position = target.position();
        int length = target.remaining();
        ProgramMemory memory = endpoint.registered(target, position, length);
        if (memory == null) {
            policy.onUnreachable();
            return false;
        }
        int advertisable = memory.advertisable(target, position, length);
        if (advertisable <= 0 || !policy.pays(advertisable)) {
            memory.release();
            policy.onUnreachable();
            return false;
        }
        if (receive == null) {
            receive = new Receive();
        }
        receive.into(target, position, advertisable, false, memory);
        registration = memory;
        active = true;
        if (connection.closed.get() || connection.peerEnd != null) {
            leave();
            return false;
        }
        connection.enterPolling();
        try {
            engine.post(receive);
        } finally {
            connection.leavePolling();
        }
        return true;
    }

    /**
     * A blocking call may be ended at any time by a time-out, an interrupt or a close, and its peer need not be there to
     * answer a CANCEL. Where the memory cannot be taken away otherwise, only the user can want to risk the connection.
     */
    private boolean permitted() {
        return endpoint.detaches() || DirectReadPolicy.mode() == DirectMode.ALWAYS;
    }

    /** {@return whether the reader has to {@link #end} the receive, because bytes are, or will be, elsewhere} */
    boolean isOvertaken() {
        return receive.isDone() || !receive.isAdvertised();
    }

    /**
     * Ends the receive, if it has not ended, and gives the memory back.
     *
     * @param target as for {@link #begin}; its position is advanced
     * @param waited whether the call is over
     * @return bytes that came straight into {@code target}
     */
    int end(ByteBuffer target, boolean waited) {
        if (!receive.isDone()) {
            cancel(); // If that throws, the buffer is still the peer's: abort follows.
        }
        leave();
        int n = receive.received();
        policy.onEnd(n, waited && n == 0);
        receive.clear();
        if (n > 0) {
            target.position(target.position() + n);
        }
        return n;
    }

    /** The connection has failed with an exception: the buffer must not be left to the peer. */
    void abort() {
        if (!active) {
            return;
        }
        connection.enterPolling();
        try {
            engine.abandon();
        } finally {
            connection.leavePolling();
        }
        receive.clear();
        leave();
    }

    private void leave() {
        registration.release();
        registration = null;
        active = false;
    }

    private void cancel() {
        connection.enterPolling();
        try {
            engine.cancel(receive);
        } finally {
            connection.leavePolling();
        }
        // An interrupt would end every one of these short sleeps.
        boolean interrupted = Thread.interrupted();
        long startNs = System.nanoTime();
        while (!receive.isDone() && connection.peerEnd == null && !connection.disconnected) {
            long waitedNs = System.nanoTime() - startNs;
            if (waitedNs > (endpoint.detaches() ? ANSWER_LIMIT_NS : LAST_ANSWER_LIMIT_NS)) {
                break;
            } else if (waitedNs > SPIN_FOR_ANSWER_NS) {
                LockSupport.parkNanos(this, PARK_FOR_ANSWER_NS);
            } else {
                Thread.onSpinWait();
            }
            connection.progress();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!receive.isDone()) {
            takeAway();
        }
    }

    private void takeAway() {
        boolean fenced;
        if (isLost()) {
            awaitEndOfWrite();
        }
        connection.enterPolling();
        try {
            boolean lost = isLost();
            fenced = !lost && engine.fence(receive);
            if (!fenced) {
                engine.abandon();
            }
        } finally {
            connection.leavePolling();
        }
        if (!fenced && !isLost()) {
            connection.fail("the peer does not answer, and its device cannot be kept from writing otherwise");
        }
    }

    private boolean isLost() {
        return connection.peerEnd != null || connection.disconnected;
    }

    /**
     * A thread of the peer may be in the middle of a write when its process resets the connection. Memory that must be taken
     * away from it is not advertised again, so it gets the time it needs, unless it was killed.
     */
    private void awaitEndOfWrite() {
        long startNs = System.nanoTime();
        while (mayBeWrittenTo() && System.nanoTime() - startNs < ANSWER_LIMIT_NS) {
            LockSupport.parkNanos(this, PARK_FOR_ANSWER_NS);
        }
    }

    private boolean mayBeWrittenTo() {
        connection.enterPolling();
        try {
            return endpoint.windows() != 0 && engine.mayBeWrittenTo();
        } finally {
            connection.leavePolling();
        }
    }
}
