package org.exsockets.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.exsockets.config.DirectMode;
import org.exsockets.connection.WriteCall.Of;
import org.exsockets.connection.direct.DirectReadPolicy;
import org.exsockets.connection.direct.PostedReceives;
import org.exsockets.connection.life.ConnectionProgress;
import org.exsockets.connection.life.Life;
import org.exsockets.connection.life.Life.Step;
import org.exsockets.connection.life.Readiness;
import org.exsockets.jdk.BufferSessions;
import org.exsockets.jdk.FailedConnects;
import org.exsockets.observe.Statistics;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.Endpoint;
import org.exsockets.waiting.Deadline;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Turn;
import org.exsockets.waiting.Wait;
import org.exsockets.waiting.Waiters;

/**
 * One EXS connection with the semantics of a TCP socket; every face (channel, socket) is a thin layer over it.
 *
 * <p>A call takes its turn here ({@link ConnectionEnding}); then the {@link ConnectionReader} or the
 * {@link ConnectionWriter} does it. {@link ConnectionProgress} has the poller's role and all that happens without a
 * call of the program. {@link Life} is the connection's state. Selectors look at its {@link #readiness}.
 */
public final class ExsConnection {
    final Endpoint endpoint;
    public final ConnectionProgress progress;
    final ConnectionEnding ending;
    private final Readiness readiness;
    private final Life life;
    final StreamEngine engine;
    private final ConnectionReader reader;
    private final ConnectionWriter writer;

    /** Calls of earlier parts of a connection to later parts, which the earlier ones do not know. */
    private final class Parts implements ConnectionProgress.Owner {
        @Override
        public void completeClose() {
            ending.completeClose();
        }

        @Override
        public void tryRelease() {
            ending.tryRelease();
        }

        @Override
        public boolean receivesHaveEnded() {
            return ending.receivesHaveEnded();
        }

        @Override
        public void signalSelectors() {
            readiness.signalAll();
        }

        @Override
        public void armChannel() {
            progress.armChannel();
        }

        @Override
        public void onEvent(int bits) {
            progress.onEvent(bits);
        }

        @Override
        public void lookForDisconnect() {
            progress.lookForDisconnect();
        }

        @Override
        public void onWatched() {
            readiness.onWatched();
        }

        @Override
        public boolean check(int slot) {
            progress.progressFully();
            return changed(slot) || (slot == Waiters.READER ? reader.waiting : writer.waiting).deadline.interrupted();
        }

        @Override
        public boolean changed(int slot) {
            return progress.completions.hasFound()
                    || life.isClosedOrPeerOver()
                    || (slot == Waiters.READER ? reader.mayGoOn() : writer.mayGoOn());
        }
    }

    /** Takes over an endpoint that nothing was posted to. */
    public ExsConnection(Endpoint endpoint) {
        this(endpoint, true);
    }

    /** @param counts whether it is the program's, and its bytes are to be in the statistics */
    public ExsConnection(Endpoint endpoint, boolean counts) {
        this.endpoint = endpoint;
        Parts parts = new Parts();
        progress = new ConnectionProgress(endpoint, parts, DirectReadPolicy.mode() != DirectMode.NEVER);
        readiness = new Readiness(progress);
        ending = new ConnectionEnding(progress, readiness, counts);
        life = progress.life;
        engine = progress.engine;
        reader = new ConnectionReader(progress, ending, parts);
        writer = new ConnectionWriter(progress, parts);
        if (counts) {
            Statistics.jvm().register(progress.traffic);
        }
        LiveConnections.add(ending);
        endpoint.attend(progress);
    }

    public InetSocketAddress localAddress() {
        return endpoint.localAddress();
    }

    public InetSocketAddress remoteAddress() {
        return endpoint.remoteAddress();
    }

    /** {@return as {@link Endpoint#localHost}} */
    public InetAddress localHost() {
        return endpoint.localHost();
    }

    /** {@return as {@link Endpoint#remoteHost}} */
    public InetAddress remoteHost() {
        return endpoint.remoteHost();
    }

    /** {@return what selectors look at} */
    public Readiness readiness() {
        return readiness;
    }

    /** @throws SocketException if the peer has reset the connection, as a connect over TCP fails then */
    public void ensureNotReset() throws SocketException {
        if (progress.isReset()) {
            throw new SocketException(
                    FailedConnects.message(engine.incoming.finArrived() ? "Broken pipe" : "Connection reset by peer"));
        }
    }

    /** A write has tried the shut output: as over TCP, readers are not told of a reset any more. */
    public void swallowReset() {
        if (progress.isReset()) {
            life.go(Step.TELL_RESET);
        }
    }

    // Reading.

    /**
     * Reads into {@code target} up to its limit.
     *
     * @return bytes read (0 only if there is no space), or a code of {@link Outcome}
     * @throws SocketException "Connection reset" once everything that had arrived was read
     */
    public int read(ByteBuffer target, Turn turn) throws IOException {
        ending.readLock.lock();
        try {
            if (life.isClosedBefore()) {
                return Outcome.CLOSED_BEFORE;
            }
            Wait wait = turn.begin();
            Object held = BufferSessions.acquire(target, false);
            try {
                return reader.read(target, wait);
            } finally {
                BufferSessions.release(held);
            }
        } finally {
            ending.unlock(ending.readLock);
        }
    }

    /**
     * As {@link #read(ByteBuffer, Turn)} for a part of an array; allocates nothing if the array is the same as last
     * time.
     */
    public int read(byte[] target, int offset, int length, Turn turn) throws IOException {
        ending.readLock.lock();
        return readNow(target, offset, length, turn);
    }

    /**
     * As {@link #read(byte[], int, int, Turn)}, but the wait for earlier readers is a part of the time of {@code wait}.
     */
    public int readInTime(byte[] target, int offset, int length, Turn turn, Wait wait) throws IOException {
        if (ending.readLock.tryLock()) {
            return readNow(target, offset, length, turn);
        }
        Deadline deadline = new Deadline().start(wait);
        if (!deadline.lock(ending.readLock)) {
            return Outcome.TIMED_OUT;
        }
        return readNow(target, offset, length, () -> {
            turn.begin();
            return deadline.rest();
        });
    }

    /** The caller holds the read lock; this releases it. */
    private int readNow(byte[] target, int offset, int length, Turn turn) throws IOException {
        try {
            return life.isClosedBefore() ? Outcome.CLOSED_BEFORE : reader.read(target, offset, length, turn.begin());
        } finally {
            ending.unlock(ending.readLock);
        }
    }

    /** Scatters into {@code targets}; waits for the first byte only. {@return bytes read, or a code} */
    public long read(ByteBuffer[] targets, int offset, int length, Turn turn) throws IOException {
        ending.readLock.lock();
        try {
            if (life.isClosedBefore()) {
                return Outcome.CLOSED_BEFORE;
            }
            Wait wait = turn.begin();
            Object held = BufferSessions.acquire(targets, offset, length, false);
            try {
                return reader.read(targets, offset, length, wait);
            } finally {
                BufferSessions.release(held);
            }
        } finally {
            ending.unlock(ending.readLock);
        }
    }

    /**
     * As {@link #read(ByteBuffer, Turn)} without waiting, for a read that stays pending until it gets bytes. Meanwhile
     * a large direct buffer may be left to the peer, and nothing else is read. {@link #takeBack} ends it early.
     *
     * @param target the same one until the read is over
     */
    public int readLater(ByteBuffer target) throws IOException {
        ending.readLock.lock();
        try {
            return reader.readLater(target);
        } finally {
            ending.unlock(ending.readLock);
        }
    }

    /**
     * Ends what {@link #readLater} has left pending. {@return bytes that it has got; the buffer's position is advanced}
     */
    public int takeBack(ByteBuffer target) {
        ending.readLock.lock();
        try {
            return reader.takeBack(target);
        } finally {
            ending.unlock(ending.readLock);
        }
    }

    /**
     * Waits its turn for a read whose buffer cannot take bytes.
     *
     * @return 0, or the code of {@link Outcome} to report instead
     * @throws SocketException "Connection reset" if an earlier read has reported it
     */
    public int readNothing(Turn turn) throws IOException {
        ending.readLock.lock();
        try {
            if (life.isClosedBefore()) {
                return Outcome.CLOSED_BEFORE;
            }
            turn.begin();
            return reader.readNothing();
        } finally {
            ending.unlock(ending.readLock);
        }
    }

    /** {@return whether a read has reported a reset; for a thread that has just read} */
    boolean resetWasRead() {
        return life.isResetRead();
    }

    /** Sets whether urgent data stays in the stream (SO_OOBINLINE), or reads skip it. */
    public void setUrgentInline(boolean inline) {
        engine.incoming.urgent.setInline(inline);
        progress.wakeAll(); // Bytes may have become readable.
    }

    /**
     * Does not wait for a reader at work.
     *
     * @return bytes that can be read without waiting, before urgent data; 0 after {@link #shutdownInput}
     */
    public int available() {
        if (life.isInputShut() || !progress.pin()) {
            return 0;
        }
        try {
            progress.progress();
            return (int) Math.min(Integer.MAX_VALUE, engine.incoming.availableBytes());
        } finally {
            progress.unpin();
        }
    }

    /** {@return the receives that are outstanding here; while there are any, nothing else reads} */
    public PostedReceives receives() {
        return ending.receives();
    }

    // Writing.

    /**
     * Writes from {@code source}: without waiting what there is room for, otherwise all of it, or a part in a virtual
     * thread.
     *
     * @return bytes written, or a code of {@link Outcome}
     * @throws IOException "Connection reset by peer" or "Broken pipe", as TCP
     */
    public int write(ByteBuffer source, Turn turn) throws IOException {
        ending.writeLock.lock();
        try {
            if (life.isClosedBefore()) {
                return Outcome.CLOSED_BEFORE;
            }
            Wait wait = turn.begin();
            Object held = BufferSessions.acquire(source, false);
            try {
                return writer.write(Of.CHANNEL, source, wait);
            } finally {
                BufferSessions.release(held);
            }
        } finally {
            ending.unlock(ending.writeLock);
        }
    }

    /**
     * As {@link #write(ByteBuffer, Turn)} without waiting, for a writer that comes back soon: a patient call may return
     * {@link Outcome#WOULD_BLOCK} though there is room, because the peer is likely to advertise memory soon.
     *
     * @param patient whether the caller will be back
     */
    public int write(ByteBuffer source, boolean patient) throws IOException {
        ending.writeLock.lock();
        try {
            // As of a copy of a file: the first thing that a patient writer does is to poll.
            return life.isClosed() ? Outcome.CLOSED : writer.write(source, patient);
        } finally {
            ending.unlock(ending.writeLock);
        }
    }

    /** As {@link #write(ByteBuffer, Turn)} for a part of an array. */
    public int write(byte[] source, int offset, int length, Turn turn) throws IOException {
        ending.writeLock.lock();
        try {
            return life.isClosedBefore() ? Outcome.CLOSED_BEFORE : writer.write(source, offset, length, turn.begin());
        } finally {
            ending.unlock(ending.writeLock);
        }
    }

    /**
     * Gathers from {@code sources}; no other writer comes between, and a reader finds together what fits into one
     * transfer.
     *
     * @return bytes written, or a code
     */
    public long write(ByteBuffer[] sources, int offset, int length, Turn turn) throws IOException {
        ending.writeLock.lock();
        try {
            if (life.isClosedBefore()) {
                return Outcome.CLOSED_BEFORE;
            }
            Wait wait = turn.begin();
            Object held = BufferSessions.acquire(sources, offset, length, false);
            try {
                return writer.write(sources, offset, length, wait);
            } finally {
                BufferSessions.release(held);
            }
        } finally {
            ending.unlock(ending.writeLock);
        }
    }

    /**
     * Writes a part of a file; no other writer comes between.
     *
     * @return bytes written, or a code
     * @see FileCopy#send
     */
    public long write(FileChannel source, long position, long count, boolean blocking) throws IOException {
        ending.writeLock.lock();
        try {
            // If the connection was closed while this call waited for its turn, its memory may be released.
            return life.isClosed() ? Outcome.CLOSED : FileCopy.send(source, position, count, writer, blocking);
        } finally {
            ending.unlock(ending.writeLock);
        }
    }

    /** As {@link #write(ByteBuffer, Turn)} for one byte of urgent data. */
    public int writeUrgent(byte data, Turn turn) throws IOException {
        ending.writeLock.lock();
        try {
            return life.isClosedBefore()
                    ? Outcome.CLOSED_BEFORE
                    : writer.write(Of.URGENT, ByteBuffer.wrap(new byte[] {data}), turn.begin());
        } finally {
            ending.unlock(ending.writeLock);
        }
    }

    /** @see ConnectionProgress#cannotSend */
    public IOException cannotSend() {
        return progress.cannotSend();
    }

    // Ending.

    /**
     * Waits until the reader and the writer that are at work have left. {@return false if the connection is closed, or
     * will be}
     */
    public boolean awaitReaderAndWriter() {
        return ending.awaitReaderAndWriter();
    }

    /** From now on reads return end of stream. */
    public void shutdownInput() {
        ending.shutdownInput();
    }

    /** Sends a FIN behind what was written; later writes fail. */
    public void shutdownOutput() {
        ending.shutdownOutput();
    }

    /** Resets the connection, for both ends, without closing it: its memory stays until a close. */
    public void reset() {
        ending.reset();
    }

    /**
     * Closes as TCP does. Idempotent. Never blocks: what is due is sent in the background; {@link #awaitClosed} waits
     * for it.
     */
    public void close(Close how) {
        ending.close(how);
    }

    /** Waits until all data and the FIN have reached the peer (SO_LINGER). {@return false if the time was too short} */
    public boolean awaitClosed(long timeoutNs) {
        return ending.awaitClosed(timeoutNs);
    }
}
