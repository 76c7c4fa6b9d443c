package org.exsockets.connection;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.exsockets.connection.direct.DirectReadPolicy;
import org.exsockets.connection.direct.DirectReads;
import org.exsockets.connection.life.ConnectionProgress;
import org.exsockets.connection.life.ConnectionWaiting;
import org.exsockets.connection.life.Life;
import org.exsockets.connection.life.Life.Step;
import org.exsockets.memory.FailedMemory;
import org.exsockets.stream.Incoming;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.waiting.BlockingCall;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.exsockets.waiting.Waiters;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a connection. The stream's reader, which is the holder of the read lock, uses this object, and waits
 * here while it holds the lock. Other threads call only {@link #mayGoOn}, and look at the end of {@link #waiting}.
 */
final class ConnectionReader implements BlockingCall.Attempt {
    private final ConnectionProgress progress;
    private final ConnectionEnding ending;
    private final Incoming incoming;
    private final Life life;

    /**
     * Null until {@link #goStraight} needs it. Another thread that finds null misses nothing: the reader looks again
     * itself.
     */
    private volatile @Nullable DirectReads directReads;

    final ConnectionWaiting waiting;

    /** The buffer of the call that waits, or tries again; null: none does. */
    private @Nullable ByteBuffer pending;

    /** Whether that call has no time-out. */
    private boolean endless;

    /** Whether that call has not waited, so that nothing has been looked for on its behalf. */
    private boolean later;

    private final LatestArray array = new LatestArray();

    /** @param sleepers what changes for a thread that waits */
    ConnectionReader(ConnectionProgress progress, ConnectionEnding ending, Waiters.Sleepers sleepers) {
        this.progress = progress;
        this.ending = ending;
        this.incoming = progress.engine.incoming;
        this.life = progress.life;
        this.waiting = new ConnectionWaiting(progress, sleepers, Waiters.READER);
    }

    /** {@return whether there may be something to read, or an end to report; any thread} */
    boolean mayGoOn() {
        return incoming.readableBytes() > 0 || incoming.finArrived() || life.isInputShut() || isOver(directReads);
    }

    private static boolean isOver(@Nullable DirectReads straight) {
        return straight != null && straight.isOver();
    }

    /** Leaves a read of {@code target}, for which nothing is there, to the peer, if that may pay. */
    private void goStraight(ByteBuffer target) {
        DirectAccess direct = progress.endpoint.direct();
        if (direct == null || !target.isDirect() || !DirectReadPolicy.mayWant(target.remaining())) {
            return;
        }
        DirectReads straight = directReads;
        if (straight == null) {
            straight = new DirectReads(ending.receives(), direct);
            directReads = straight;
        }
        straight.begin(target, endless);
    }

    /** @see ExsConnection#read(ByteBuffer, Turn) */
    int read(ByteBuffer target, Wait wait) throws IOException {
        int n = tryRead(target, true);
        if (n != Outcome.WOULD_BLOCK) {
            return n;
        }
        if (wait.timeoutNs() == 0) {
            return tryAtEnd(target);
        }
        waiting.deadline.start(wait);
        pending = target;
        endless = waiting.deadline.isEndless();
        try {
            goStraight(target);
            return waiting.left(waiting.run(this));
        } catch (RuntimeException | Error e) {
            throw readHasFailed(e);
        } finally {
            pending = null;
        }
    }

    /** @see ExsConnection#read(byte[], int, int, Turn) */
    int read(byte[] target, int offset, int length, Wait wait) throws IOException {
        return read(array.wrap(target, offset, length), wait);
    }

    /** @see ExsConnection#read(ByteBuffer[], int, int, Turn) */
    long read(ByteBuffer[] targets, int offset, int length, Wait wait) throws IOException {
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!targets[i].hasRemaining()) {
                continue;
            }
            if (total > 0 && (!moreArrived() || incoming.atUrgent())) {
                break; // A further read might report an end, and these bytes would be lost; or pass a mark.
            }
            int n;
            try {
                n = read(targets[i], total == 0 ? wait : Wait.NONE);
            } catch (IOException | RuntimeException e) {
                if (total > 0) {
                    return total; // The program's memory has failed: the next call reports it.
                }
                throw e;
            }
            if (n < 0) {
                return total > 0 ? total : n;
            }
            total += n;
            if (targets[i].hasRemaining()) {
                break;
            }
        }
        return total > 0 ? total : readNothing();
    }

    private boolean moreArrived() {
        if (incoming.readableBytes() == 0) {
            progress.progress();
        }
        return incoming.readableBytes() > 0;
    }

    /** @see ExsConnection#readNothing */
    int readNothing() throws SocketException {
        if (life.isInputShut()) {
            return Outcome.END_OF_STREAM;
        }
        if (life.isResetRead()) {
            throw new SocketException("Connection reset");
        }
        return 0;
    }

    // Trying.

    /**
     * Nothing is there: a sleeping thread gets an event at the peer's end, a call that does not wait, or whose sleep ends
     * before the channel is watched, looks for it here.
     */
    private int tryAtEnd(ByteBuffer target) throws IOException {
        progress.lookAtLiveness();
        return life.isPeerOver() ? tryRead(target, true) : Outcome.WOULD_BLOCK;
    }

    /** @param looks whether to ask the device first: nothing that has come before a call may be left for the next one */
    private int tryRead(ByteBuffer target, boolean looks) throws IOException {
        if (ending.hasReceives()) {
            throw new IllegalStateException("read: the next bytes are for receives that are outstanding");
        }
        if (!life.takesReads()) {
            return life.isClosed() ? Outcome.CLOSED : Outcome.END_OF_STREAM;
        }
        if (!target.hasRemaining()) {
            return readNothing();
        }
        if (incoming.urgent.isMarked()) {
            progress.progressFully(); // Whether a byte is the urgent one still depends on what has come behind it.
        } else if (incoming.readableBytes() < target.remaining()) {
            progress(looks);
        }
        try {
            int n = incoming.tryReceive(target);
            if (n == 0 && progress.progressFound()) {
                n = incoming.tryReceive(target);
            }
            if (n == 0 && life.isPeerOver()) {
                return readLast(target);
            }
            if (n > 0) {
                progress.traffic.bytesReceivedIndirect += n;
                progress.settleLater();
                return n;
            }
            return n == Incoming.END_OF_STREAM ? Outcome.END_OF_STREAM : Outcome.WOULD_BLOCK;
        } catch (FailedMemory failed) {
            throw FailedMemory.badAddress();
        }
    }

    /** The peer's end was set after the last arrival was handled: looks once more before it reports the end. */
    private int readLast(ByteBuffer target) throws SocketException {
        int n = incoming.tryReceive(target);
        if (n > 0) {
            progress.traffic.bytesReceivedIndirect += n;
            return n;
        }
        if (n == Incoming.END_OF_STREAM) {
            return Outcome.END_OF_STREAM;
        }
        if (life.isResetRead() || life.go(Step.TELL_READER)) {
            throw new SocketException("Connection reset");
        }
        return Outcome.END_OF_STREAM;
    }

    // Waiting.

    private boolean progress(boolean looks) {
        return looks ? progress.progress() : progress.progressFound();
    }

    /** A read that has waited tries again. If the call ends now, the buffer is taken back from the peer. */
    @Override
    @SuppressWarnings("NullAway") // Within a call that waits, or tries again.
    public int attempt(int ended) throws IOException {
        boolean looks = later || ended != 0;
        ByteBuffer target = pending;
        DirectReads straight = directReads;
        if (straight != null && straight.isActive()) {
            progress(looks);
            if (ended == 0 && !straight.isOvertaken() && !readableOrEnded()) {
                return Outcome.WOULD_BLOCK;
            }
            int n = straight.end(target, ended != 0);
            if (n > 0) {
                progress.settleLater();
                return n;
            }
        }
        int n = tryRead(target, looks);
        if (n == Outcome.WOULD_BLOCK) {
            n = tryAtEnd(target);
        }
        if (n == Outcome.WOULD_BLOCK && ended == 0) {
            goStraight(target);
        }
        return n;
    }

    private boolean readableOrEnded() {
        return life.isClosedOrPeerOver() || life.isInputShut() || incoming.finArrived() || incoming.readableBytes() > 0;
    }

    /** @see ExsConnection#readLater */
    int readLater(ByteBuffer target) throws IOException {
        pending = target;
        endless = false;
        later = true;
        try {
            return attempt(0);
        } catch (RuntimeException | Error e) {
            throw readHasFailed(e);
        } finally {
            later = false;
            pending = null;
        }
    }

    /** @see ExsConnection#takeBack */
    int takeBack(ByteBuffer target) {
        try {
            DirectReads straight = directReads;
            return straight != null && straight.isActive() ? straight.end(target, true) : 0;
        } catch (RuntimeException | Error e) {
            throw readHasFailed(e);
        }
    }

    /** The buffer must not be left to the peer. {@return never} */
    private Error readHasFailed(Throwable e) {
        DirectReads straight = directReads;
        if (straight != null && straight.isActive()) {
            straight.abort();
            progress.fail("a read has failed while its buffer was the peer's: " + e);
        }
        if (e instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        throw (Error) e;
    }
}
