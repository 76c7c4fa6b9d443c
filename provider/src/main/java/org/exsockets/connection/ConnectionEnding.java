package org.exsockets.connection;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.connection.direct.PostedReceives;
import org.exsockets.connection.life.ConnectionProgress;
import org.exsockets.connection.life.Life;
import org.exsockets.connection.life.Life.Step;
import org.exsockets.connection.life.Readiness;
import org.exsockets.jdk.ShortSleeps;
import org.exsockets.observe.Description;
import org.exsockets.observe.Flight;
import org.exsockets.observe.FlightLog;
import org.exsockets.observe.Statistics;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.MoreRoom;
import org.exsockets.waiting.ProgressThread;
import org.jspecify.annotations.Nullable;

/**
 * The turns of a connection's threads, its shutdown and close, and the release of its memory.
 *
 * <p>Lock order: {@link #readLock} → {@link #writeLock}. The holder of the read lock is the stream's reader, the holder
 * of the write lock its writer. A blocking call holds its lock while it waits, as in the JDK. The thread that leaves
 * completes a close that could not be completed while the turn was taken.
 *
 * <p>The last user releases the memory ({@link #tryRelease}): not before {@link #close} and the disconnect, not while a
 * thread holds a lock, not while a selector knows the connection (selectors look at the completion queue without a
 * lock). A thread that fails because of another user leaves the release to that user, which tries again after it has
 * left.
 */
final class ConnectionEnding implements PostedReceives.Readers, LiveConnections.Live {
    private static final long CLOSE_POLL_NS = 100_000;

    /** The hidden buffers are trimmed again once so many bytes, which may hold pages, have gone through them. */
    private static final long UNTRIMMED_BYTES = 16 << 10;

    /** How long a writer is held at the end of the JVM, which takes milliseconds. */
    private static final long HELD_NS = 2_000_000_000L;

    /** Serialises readers; guards the {@link ConnectionReader}. */
    final ReentrantLock readLock = new ReentrantLock();

    /** Serialises writers; guards the {@link ConnectionWriter}. */
    final ReentrantLock writeLock = new ReentrantLock();

    private final long bornNs = System.nanoTime();

    private final boolean ofProgram;
    private final ConnectionProgress progress;
    private final Readiness readiness;
    private final Life life;
    private final StreamEngine engine;

    /** SO_LINGER is 0: a close resets the connection, and so does the end of the JVM. Any thread. */
    volatile boolean lingersNot;

    /**
     * Null until receives are needed: a plain stream has none. Set under {@link #readLock}, before a receive is active.
     */
    private volatile @Nullable PostedReceives receives;

    /**
     * For {@link #lookForMemory} only: bytes that had gone through the hidden buffers at the last look; before the first, −1.
     */
    private long movedBefore = -1;

    /**
     * The same when they were last trimmed. At first so low that pages left by an earlier user of the segment are
     * trimmed.
     */
    private long movedWhenTrimmed = -UNTRIMMED_BYTES;

    ConnectionEnding(ConnectionProgress progress, Readiness readiness, boolean ofProgram) {
        this.ofProgram = ofProgram;
        this.progress = progress;
        this.readiness = readiness;
        this.life = progress.life;
        this.engine = progress.engine;
    }

    @Override
    public void describe(Description into) {
        String turns = (readLock.isLocked() ? "read" : "") + (writeLock.isLocked() ? "write" : "");
        long ageNs = System.nanoTime() - bornNs;
        ConnectionDescription.put(into, progress, turns, readiness.isSelected(), TimeUnit.NANOSECONDS.toSeconds(ageNs));
    }

    @Override
    public boolean isOfProgram() {
        return ofProgram;
    }

    @Override
    public InetSocketAddress localAddress() {
        return progress.endpoint.localAddress();
    }

    // Receives.

    /** {@return the receives that are outstanding here; others can be added} */
    PostedReceives receives() {
        if (receives == null) {
            readLock.lock();
            try {
                if (receives == null) {
                    receives = new PostedReceives(this, progress);
                }
            } finally {
                readLock.unlock();
            }
        }
        return receives;
    }

    /** {@return whether a receive is outstanding; exact for the holder of the read lock} */
    boolean hasReceives() {
        PostedReceives known = receives;
        return known != null && known.isActive();
    }

    /** @see ConnectionProgress.Owner#receivesHaveEnded */
    boolean receivesHaveEnded() {
        PostedReceives known = receives;
        return known != null && known.haveEnded();
    }

    // Turns.

    @Override
    public void lockReader() {
        readLock.lock();
    }

    @Override
    public void unlockReader() {
        unlock(readLock);
    }

    /** @see ExsConnection#awaitReaderAndWriter */
    boolean awaitReaderAndWriter() {
        readLock.lock();
        try {
            writeLock.lock();
            unlock(writeLock);
        } finally {
            unlock(readLock);
        }
        return !life.isClosedBefore();
    }

    /** Ends a turn. */
    void unlock(ReentrantLock lock) {
        lock.unlock();
        if (life.isOutputOver()) {
            if (life.endsWithJvm() && lock == writeLock && !lock.isHeldByCurrentThread()) {
                awaitEndOfJvm();
            }
            goOn();
        }
    }

    // Ending.

    /** @see ExsConnection#shutdownInput */
    void shutdownInput() {
        life.go(Step.SHUT_INPUT);
        progress.wakeAll();
    }

    /** @see ExsConnection#shutdownOutput */
    void shutdownOutput() {
        life.go(Step.SHUT_OUTPUT);
        progress.wakeAll();
        goOn();
    }

    /**
     * For an output that is over: ends it, if nothing is to come before, and goes on with a close. Who finds the write
     * lock taken leaves both to the thread that has it, and calls this when it has unlocked.
     */
    private void goOn() {
        boolean due = life.isClosed() ? !life.isAborted() : !life.endsWithJvm();
        if (due && !engine.outgoing.finished() && !life.isDisconnected()) {
            finishIfNoWriter();
        }
        completeClose();
        tryRelease();
    }

    private void finishIfNoWriter() {
        if (writeLock.tryLock()) {
            try {
                if (!life.isDisconnected()) {
                    engine.outgoing.finish();
                    progress.settleLater();
                }
            } finally {
                writeLock.unlock();
            }
        }
    }

    /** @see ExsConnection#reset */
    void reset() {
        progress.progressFully();
        life.go(Step.PEER_RESETS);
        progress.disconnect(DisconnectReason.ABORT);
        progress.wakeAll();
    }

    /** @see ExsConnection#close */
    void close(Close wanted) {
        if (!progress.pin()) {
            return;
        }
        try {
            engine.onEnding();
            progress.progressFully();
            Step step = stepTo(lingersNot ? Close.ABORT : wanted);
            if (life.go(step)) {
                if (step != Step.ABORT) {
                    life.go(Step.SHUT_OUTPUT);
                }
                goOn();
                progress.wakeAll();
            }
        } finally {
            progress.unpin();
        }
    }

    /**
     * {@return how this end closes} Decided once, before other threads find it closed and go on with that. Before a reset
     * the output ends only if the peer has room: over TCP a FIN waits behind bytes that cannot be sent yet, and a reset
     * does not. While a selector keeps the connection there is time for both.
     */
    private Step stepTo(Close how) {
        boolean outputEnds =
                engine.outgoing.finished() || engine.outgoing.writableBytes() > 0 || readiness.isSelected();
        boolean endsFirst = how == Close.OUTPUT_FIRST && outputEnds && !life.isPeerOver();
        if (how == Close.ABORT || endsInReset() && !endsFirst) {
            return Step.ABORT;
        }
        return how == Close.OUTPUT_FIRST ? Step.CLOSE_OUTPUT_FIRST : Step.CLOSE;
    }

    private boolean endsInReset() {
        return engine.incoming.hasUnread() || life.isReset();
    }

    /**
     * The JVM ends: the peer gets what writers have placed, and no more. Writers are held in their calls, as at the end
     * of any process, so no program sees a failure that TCP does not have. Before {@link #endWithJvm}.
     */
    @Override
    public void holdWriters() {
        life.go(Step.END_WITH_JVM);
        progress.wakeAll();
    }

    /** Not for ever: the thread may hold a lock of the program that the end of the JVM needs. */
    private void awaitEndOfJvm() {
        new ShortSleeps(HELD_NS) {
            @Override
            protected boolean isOver() {
                return false;
            }
        }.await(HELD_NS);
    }

    /**
     * The JVM ends: tells the peer what the kernel tells it for a TCP connection left open. Reading threads of this JVM
     * are not woken and get no result: they end with the JVM. A write that is not over after {@code limitNs} makes it a
     * reset.
     */
    @Override
    public void endWithJvm(long limitNs) {
        if (!progress.pin()) {
            return;
        }
        try {
            if (life.isClosed()) {
                completeClose(); // No selector keeps it any more.
                return;
            }
            engine.onEnding();
            progress.progressFully();
            if (!lingersNot && !endsInReset() && lockWriter(limitNs)) {
                try {
                    engine.outgoing.finish();
                    progress.disconnect(DisconnectReason.ORDERLY);
                } finally {
                    writeLock.unlock();
                }
            } else {
                progress.disconnect(DisconnectReason.ABORT);
            }
        } finally {
            progress.unpin();
        }
    }

    private boolean lockWriter(long limitNs) {
        try {
            return writeLock.tryLock(limitNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return writeLock.tryLock();
        }
    }

    /** @see ExsConnection#awaitClosed */
    boolean awaitClosed(long timeoutNs) {
        return new ShortSleeps(CLOSE_POLL_NS) {
            @Override
            protected boolean isOver() {
                return life.isDisconnected() && progress.queuePair.delivered();
            }
        }.await(timeoutNs);
    }

    @Override
    public void lookForLosses() {
        if (progress.pin()) {
            try {
                progress.lookForLosses();
            } finally {
                progress.unpin();
            }
        }
    }

    /**
     * A look of {@link LiveConnections}: measures memory if bytes have moved since the last one; otherwise lets the
     * hidden buffers free what they do not need.
     */
    @Override
    public void lookForMemory() {
        if (!(progress.endpoint.moreRoom() instanceof MoreRoom.Shared memory) || !progress.pin()) {
            return;
        }
        try {
            long moved = engine.bufferedBytes();
            boolean quiet = moved == movedBefore;
            movedBefore = moved;
            if (!quiet || trim(memory, moved)) {
                memory.measure();
            }
        } finally {
            progress.unpin();
        }
    }

    /**
     * {@return whether the hidden buffers were trimmed; false if there is too little to trim, or a writer is at work}
     */
    private boolean trim(MoreRoom.Shared memory, long moved) {
        if (moved - movedWhenTrimmed < UNTRIMMED_BYTES || !writeLock.tryLock()) {
            return false;
        }
        try {
            if (life.isClosed()) {
                return false;
            }
            progress.progress(); // What the peer has said of its room may not have been handled.
            engine.trim(memory);
            movedWhenTrimmed = moved;
            return true;
        } finally {
            writeLock.unlock(); // Not as a writer, who is held at the end of the JVM.
            if (life.isOutputOver()) {
                goOn();
            }
        }
    }

    /** {@return whether a closed connection stays as it is until its selectors have let go of it} */
    private boolean isKeptForSelectors() {
        return life.isOutputFirst()
                && readiness.isSelected()
                && engine.outgoing.finished()
                && !life.isPeerOver()
                && !life.endsWithJvm();
    }

    /** @see ConnectionProgress.Owner#completeClose */
    void completeClose() {
        if (!life.isClosed() || life.isDisconnected() || isKeptForSelectors()) {
            return;
        }
        if (!life.isAborted() && !life.isPeerOver()) {
            if (hasReceives()) {
                return; // The peer may be writing to the program's memory; taking that back completes the close.
            }
            if (!engine.outgoing.finished()) {
                return; // A writer is at work; it completes the close when it leaves.
            }
            if (engine.outgoing.owesUrgent()) {
                return; // The disconnect does not tell which byte is urgent: the background thread does so first.
            }
        }
        boolean reset = life.isAborted() || !engine.outgoing.finished();
        if (!reset && life.isOutputFirst() && hasUnread()) {
            if (!engine.outgoing.finSent() && !engine.outgoing.lacksCredits() && !life.isPeerOver()) {
                return; // Another thread is sending it: who has asked for it has asked the background thread, too.
            }
            reset = true;
        }
        // An orderly disconnect announces bytes and a FIN that lack a credit, as a position.
        progress.disconnect(reset ? DisconnectReason.ABORT : DisconnectReason.ORDERLY);
        tryRelease();
    }

    private boolean hasUnread() {
        if (!progress.pin()) {
            return false; // Another thread has told the peer and released the memory.
        }
        try {
            progress.progressFully();
            return engine.incoming.hasUnread();
        } finally {
            progress.unpin();
        }
    }

    /** Releases the memory if it is unused. */
    void tryRelease() {
        if (readLock.isHeldByCurrentThread() || writeLock.isHeldByCurrentThread()) {
            // A reader or writer that has just noticed the peer's end goes on with its call; it tries again at unlock.
            return;
        }
        // Again after a failed attempt: the thread that was in the way may have failed because of this one.
        while (life.isUnused() && !hasReceives() && !writeLock.isLocked() && readLock.tryLock()) {
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

    /** The caller holds both locks. */
    private void release() {
        if (hasReceives()) {
            return; // The thread that takes the memory back tries again.
        }
        if (!life.go(Step.RELEASE)) {
            return; // Another thread has released or pinned it since this one looked.
        }
        LiveConnections.remove(this);
        Statistics.jvm().retire(progress.traffic);
        FlightLog recorder = Flight.look();
        if (recorder != null) {
            long ageMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - bornNs);
            String peer = progress.endpoint.remoteHost().getHostAddress();
            recorder.closed(peer, progress.endpoint.device(), life.toString(), ageMs, progress.traffic);
        }
        progress.waiters.close();
        progress.endpoint.release();
        ProgressThread.flushClosed(progress.events.known());
    }
}
