package org.exsockets.socket;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Statistics;
import org.exsockets.progress.ProgressThread;
import org.exsockets.socket.Life.Step;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;

/**
 * Whose turn it is on a connection, how it is shut and closed, and when its memory goes.
 *
 * <p>Lock order: {@link #readLock} → {@link #writeLock}. The read lock makes its holder the stream's reader, the write
 * lock its writer; a blocking call holds its lock while it waits, as in the JDK. Who leaves does what a close could not do
 * while the turn was taken.
 *
 * <p>Memory is released by the last user ({@link #tryRelease}): not before {@link #close} and the disconnect, not while
 * a thread holds a lock, not while a selector knows the connection (selectors look at the completion queue without a
 * lock). Who fails to release because of another user leaves it to that one, who looks again after it has left.
 */
abstract class ConnectionEnding extends ConnectionProgress {
    /** How a connection is closed. */
    public enum Close {
        /** With the end of the stream if everything that arrived was read, with a reset otherwise. */
        ORDERLY,

        /**
         * As {@link #ORDERLY}, but the end of the stream goes before the reset, too, unless a writer is at work; and the rest, be it a
         * reset or not, follows when no selector looks at the connection any more. Until then the peer can write.
         */
        OUTPUT_FIRST,

        /** With a reset. */
        ABORT
    }

    private static final long CLOSE_POLL_NS = 100_000;

    /** What has gone through the hidden buffers since they were trimmed, and may have its pages, before they are again. */
    private static final long UNTRIMMED_BYTES = 16 << 10;

    /** For how long a writer is held when the JVM ends; that takes milliseconds. */
    private static final long HELD_NS = 2_000_000_000L;

    /** Serialises readers; guards the {@link ConnectionReader}. */
    final ReentrantLock readLock = new ReentrantLock();

    /** Serialises writers; guards the {@link ConnectionWriter}. */
    final ReentrantLock writeLock = new ReentrantLock();

    final PostedReceives receives = new PostedReceives(this, endpoint, engine);

    /** {@link LiveConnections}' alone: what had gone through the hidden buffers at its last look; before the first, nothing that can have. */
    private long movedBefore = -1;

    /** And when they were trimmed. What a connection finds in a segment that another one has used is to be trimmed, too. */
    private long movedWhenTrimmed = -UNTRIMMED_BYTES;

    ConnectionEnding(Endpoint endpoint) {
        super(endpoint);
    }

    // Turns.

    final void lockReader() {
        readLock.lock();
    }

    final void unlockReader() {
        unlock(readLock);
    }

    /** Waits until the reader and the writer that are at work have left. {@return false if the connection is closed, or will be} */
    public final boolean awaitReaderAndWriter() {
        readLock.lock();
        try {
            writeLock.lock();
            unlock(writeLock);
        } finally {
            unlock(readLock);
        }
        return !life.isClosedBefore();
    }

    /** A call ends because of {@code outcome} of its wait. {@return that} */
    final int left(int outcome) {
        if (outcome == Outcome.INTERRUPTED) {
            life.go(Step.INTERRUPT);
        }
        return outcome;
    }

    /** {@return what the kernel says to who sends what cannot be sent: of a reset, unless somebody was told of that} */
    public final IOException cannotSend() {
        boolean reset = isReset() && !engine.finArrived() && life.go(Step.TELL_RESET);
        return new IOException(reset ? "Connection reset by peer" : "Broken pipe");
    }

    /** Ends a turn. */
    final void unlock(ReentrantLock lock) {
        lock.unlock();
        if (life.isOutputOver()) {
            if (life.endsWithJvm() && lock == writeLock && !lock.isHeldByCurrentThread()) {
                awaitEndOfJvm();
            }
            if (!life.isDisconnected() && !engine.finished()) {
                finishIfNoWriter();
            }
            completeClose();
            tryRelease();
        }
    }

    // Ending.

    /** From now on reads return end of stream. */
    public final void shutdownInput() {
        life.go(Step.SHUT_INPUT);
        wakeAll();
    }

    /** Sends a FIN behind what was written; later writes fail. */
    public final void shutdownOutput() {
        life.go(Step.SHUT_OUTPUT);
        wakeAll();
        finishIfNoWriter();
        completeClose(); // A close that found this thread at it has left that to it.
        tryRelease();
    }

    private void finishIfNoWriter() {
        if (writeLock.tryLock()) {
            try {
                if (!life.isDisconnected()) {
                    engine.finish();
                    settleLater();
                }
            } finally {
                writeLock.unlock();
            }
        }
    }

    /** Ends the connection with a reset, for both sides, without closing it: its memory stays for those who look at it. */
    public final void reset() {
        progressFully();
        life.go(Step.PEER_RESETS);
        disconnect(DisconnectReason.ABORT);
        wakeAll();
    }

    /**
     * Closes as TCP does. Idempotent. Never blocks: what is due is sent in the background; {@link #awaitClosed} waits
     * for it.
     */
    public final void close(Close how) {
        Step step = switch (how) {
            case ORDERLY -> Step.CLOSE;
            case OUTPUT_FIRST -> isSelected() ? Step.CLOSE_LATER : Step.CLOSE;
            case ABORT -> Step.ABORT;
        };
        if (!life.go(step) || !pin()) {
            return;
        }
        try {
            closeOnce(how);
        } finally {
            unpin();
        }
    }

    private void closeOnce(Close how) {
        engine.onEnding();
        progressFully();
        boolean reset = how == Close.ABORT || engine.hasUnread() || life.isReset();
        if (!reset || how == Close.OUTPUT_FIRST && !life.isPeerOver()) {
            life.go(Step.SHUT_OUTPUT);
            finishIfNoWriter();
        }
        if (reset && !isKeptForSelectors()) {
            disconnect(DisconnectReason.ABORT);
        }
        wakeAll();
        completeClose();
    }

    /**
     * The JVM ends: what writers have placed is what the peer gets. They are held in their calls, which is what the end of a
     * process looks like to them: no program is shown a failure that TCP does not have. Before {@link #endWithJvm}.
     */
    final void holdWriters() {
        life.go(Step.END_WITH_JVM);
        wakeAll();
    }

    /** Not for ever: the thread may hold a lock of the program that the end of the JVM needs. */
    private void awaitEndOfJvm() {
        boolean interrupted = false;
        long startNs = System.nanoTime();
        for (long left = HELD_NS; left > 0; left = HELD_NS - (System.nanoTime() - startNs)) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted(); // No sleep is one while it is set.
        }
        if (interrupted) {
            Threads.restoreInterrupt();
        }
    }

    /**
     * The JVM ends: tells the peer what the kernel tells it for a TCP connection left open. Threads of this JVM that read
     * are neither woken nor shown anything: they end with the JVM. A write that is still not over after {@code limitNs}
     * makes it a reset.
     */
    final void endWithJvm(long limitNs) {
        if (!pin()) {
            return;
        }
        try {
            if (life.isClosed()) {
                completeClose(); // No selector keeps it any more.
                return;
            }
            engine.onEnding();
            progressFully();
            if (!engine.hasUnread() && !life.isReset() && lockWriter(limitNs)) {
                try {
                    engine.finish();
                    disconnect(DisconnectReason.ORDERLY);
                } finally {
                    writeLock.unlock();
                }
            } else {
                disconnect(DisconnectReason.ABORT);
            }
        } finally {
            unpin();
        }
    }

    /** {@return whether it was the end of the JVM that has ended it} Who waits for bytes then goes on waiting. */
    final boolean endsWithJvm() {
        return life.endsWithJvm() && !life.isPeerOver();
    }

    private boolean lockWriter(long limitNs) {
        try {
            return writeLock.tryLock(limitNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return writeLock.tryLock();
        }
    }

    private boolean isDelivered() {
        return life.isDisconnected() && endpoint.queuePair().delivered();
    }

    /** Waits until all data and the FIN are with the peer (SO_LINGER). {@return false if the time was too short} */
    public final boolean awaitClosed(long timeoutNs) {
        boolean interrupted = Thread.interrupted(); // No sleep is one while it is set.
        long startNs = System.nanoTime();
        boolean delivered = isDelivered();
        while (!delivered && System.nanoTime() - startNs <= timeoutNs) {
            LockSupport.parkNanos(CLOSE_POLL_NS);
            interrupted |= Thread.interrupted();
            delivered = isDelivered();
        }
        if (interrupted) {
            Threads.restoreInterrupt();
        }
        return delivered;
    }

    /**
     * One of {@link LiveConnections}' looks: where something has moved since the last one, memory is counted; where nothing has, the hidden buffers
     * let go of what they do not need.
     */
    final void look() {
        if (!pin()) {
            return;
        }
        try {
            long moved = engine.bufferedBytes();
            boolean quiet = moved == movedBefore;
            movedBefore = moved;
            if (!quiet || trim(moved)) {
                endpoint.measure();
            }
        } finally {
            unpin();
        }
    }

    /** {@return whether there was something to trim, and nobody in the way} */
    private boolean trim(long moved) {
        if (moved - movedWhenTrimmed < UNTRIMMED_BYTES || !writeLock.tryLock()) {
            return false;
        }
        try {
            if (life.isClosed()) {
                return false;
            }
            progress(); // What the peer has told of its room may not have been looked at.
            engine.trim();
            movedWhenTrimmed = moved;
            return true;
        } finally {
            unlock(writeLock);
        }
    }

    @Override
    final boolean receivesHaveEnded() {
        return receives.haveEnded();
    }

    /** {@return whether a closed connection stays as it is until its selectors have let go of it} */
    private boolean isKeptForSelectors() {
        return life.isLeftToSelectors()
                && isSelected()
                && engine.finished()
                && !life.isPeerOver()
                && !life.endsWithJvm();
    }

    @Override
    final void completeClose() {
        if (!life.isClosed() || life.isDisconnected() || isKeptForSelectors()) {
            return;
        }
        if (receives.isActive() && !life.isPeerOver()) {
            return; // The peer may be writing to the program's memory; who takes that back completes the close.
        }
        if (engine.finished() && engine.owesUrgent() && !life.isPeerOver()) {
            return; // Which byte is urgent does not go with the disconnect: the settling thread tells the peer first.
        }
        if (engine.finished()) {
            // What no credit was left for, FIN included, goes with the disconnect as a position.
            boolean reset = life.isAborted() || life.isLeftToSelectors() && hasUnread();
            disconnect(reset ? DisconnectReason.ABORT : DisconnectReason.ORDERLY);
        } else if (life.isPeerOver()) {
            disconnect(DisconnectReason.ABORT);
        } else {
            return; // A writer is at work; it completes the close when it leaves.
        }
        tryRelease();
    }

    private boolean hasUnread() {
        if (!pin()) {
            return false; // Another thread was faster, and has told the peer.
        }
        try {
            progressFully();
            return engine.hasUnread();
        } finally {
            unpin();
        }
    }

    @Override
    final void tryRelease() {
        if (readLock.isHeldByCurrentThread() || writeLock.isHeldByCurrentThread()) {
            // A reader or writer that has just taken the peer's end goes on with its call; it looks again at unlock.
            return;
        }
        // Again after an attempt that failed: who was in its way may have found it in its own way.
        while (life.isUnused() && !receives.isActive() && !writeLock.isLocked() && readLock.tryLock()) {
            try {
                if (writeLock.tryLock()) {
                    try {
                        release();
                    } finally {
                        writeLock.unlock();
                    }
                }
            } finally {
                readLock.unlock();
            }
        }
    }

    /** Holds both locks. */
    private void release() {
        if (receives.isActive()) {
            return; // Whoever takes the memory back looks again.
        }
        if (!life.go(Step.RELEASE)) {
            return; // Another thread has done so, or has pinned it, between this one's look and its turn.
        }
        waiters.close();
        endpoint.release();
        ProgressThread.flushClosed(events().selectable());
        Statistics.jvm().retire(traffic);
        LiveConnections.remove(this);
    }
}
