package org.exsockets.socket;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.exsockets.jdk.BufferSessions;
import org.exsockets.jdk.FailedConnects;
import org.exsockets.observe.Statistics;
import org.exsockets.progress.Waiters;
import org.exsockets.socket.Life.Step;
import org.exsockets.verbs.Endpoint;

/**
 * One EXS connection with the semantics of a TCP socket; every face (channel, socket) is a thin layer over it.
 *
 * <p>A call takes its turn here, as {@link ConnectionEnding} has it, and is then the {@link ConnectionReader}'s or the
 * {@link ConnectionWriter}'s. The poller's role and everything that happens without a call of the program is
 * {@link ConnectionProgress}'s.
 */
public final class ExsConnection extends ConnectionEnding {
    private final ConnectionReader reader;
    private final ConnectionWriter writer;

    /** Takes over an endpoint nobody has posted to yet. */
    public ExsConnection(Endpoint endpoint) {
        super(endpoint);
        reader = new ConnectionReader(this);
        writer = new ConnectionWriter(this);
        Statistics.jvm().register(traffic);
        LiveConnections.add(this);
        endpoint.attend(attendant());
    }

    /** @throws SocketException if the peer has reset the connection, as TCP tells who finishes a connect then */
    public void ensureNotReset() throws SocketException {
        if (isReset()) {
            throw new SocketException(
                    FailedConnects.message(engine.finArrived() ? "Broken pipe" : "Connection reset by peer"));
        }
    }

    /** A write has tried the shut output: as over TCP, that takes the news of a reset away from who reads. */
    public void swallowReset() {
        if (isReset()) {
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
        readLock.lock();
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
            unlock(readLock);
        }
    }

    /** As {@link #read(ByteBuffer, Turn)} for a part of an array; allocates nothing if the array is the last one again. */
    public int read(byte[] target, int offset, int length, Turn turn) throws IOException {
        readLock.lock();
        return readNow(target, offset, length, turn);
    }

    /**
     * As {@link #read(byte[], int, int, Turn)}, but the time that it waits for those who read before is a part of
     * {@code wait}'s.
     */
    public int readInTime(byte[] target, int offset, int length, Turn turn, Wait wait) throws IOException {
        if (readLock.tryLock()) {
            return readNow(target, offset, length, turn);
        }
        Deadline deadline = new Deadline().start(wait);
        if (!deadline.lock(readLock)) {
            return Outcome.TIMED_OUT;
        }
        return readNow(target, offset, length, () -> {
            turn.begin();
            return deadline.rest();
        });
    }

    /** Holding {@link #readLock}, which it gives back. */
    private int readNow(byte[] target, int offset, int length, Turn turn) throws IOException {
        try {
            return life.isClosedBefore() ? Outcome.CLOSED_BEFORE : reader.read(target, offset, length, turn.begin());
        } finally {
            unlock(readLock);
        }
    }

    /** Scatters into {@code targets}; waits for the first byte only. {@return bytes read, or a code} */
    public long read(ByteBuffer[] targets, int offset, int length, Turn turn) throws IOException {
        readLock.lock();
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
            unlock(readLock);
        }
    }

    /**
     * As {@link #read(ByteBuffer, Turn)} without waiting, for a read that stays pending until it gets something: meanwhile a
     * large direct buffer may be left to the peer. Until then, or {@link #takeBack}, nothing else is read.
     *
     * @param target the same one until the read is over
     */
    public int readLater(ByteBuffer target) throws IOException {
        readLock.lock();
        try {
            return reader.readLater(target);
        } finally {
            unlock(readLock);
        }
    }

    /** Ends what {@link #readLater} has left pending. {@return bytes it has got after all; the buffer's position is advanced} */
    public int takeBack(ByteBuffer target) {
        readLock.lock();
        try {
            return reader.takeBack(target);
        } finally {
            unlock(readLock);
        }
    }

    /**
     * Waits its turn for a read of which nothing can come, because its buffer is no target.
     *
     * @return 0, or the code of {@link Outcome} that the program is told of instead
     * @throws SocketException "Connection reset" if an earlier read was told so
     */
    public int readNothing(Turn turn) throws IOException {
        readLock.lock();
        try {
            if (life.isClosedBefore()) {
                return Outcome.CLOSED_BEFORE;
            }
            turn.begin();
            return reader.readNothing();
        } finally {
            unlock(readLock);
        }
    }

    /** {@return whether a read was told of a reset; for who has just read} */
    boolean resetWasRead() {
        return reader.resetWasRead();
    }

    /** Whether urgent data stays in the stream (SO_OOBINLINE), or is passed over by reads. */
    public void setUrgentInline(boolean inline) {
        engine.setUrgentInline(inline);
        wakeAll(); // What was not readable may be so now.
    }

    /**
     * The program has set SO_RCVBUF: as TCP's window then is not tuned any more, the hidden buffer that this end reads from is not
     * made longer than what was asked for. It keeps what it has, 256 KiB at least.
     *
     * @param chosenBytes bytes the program has asked for, &gt; 0
     */
    void limitReceiveBuffer(int chosenBytes) {
        engine.limitBuffer(chosenBytes);
    }

    /**
     * The program has set SO_SNDBUF: as the kernel then does not tune that any more, what is sent ahead of the reader beyond the 256 KiB
     * that there are always is limited by it.
     *
     * @param chosenBytes bytes the program has asked for, &gt; 0
     */
    void limitSendBuffer(int chosenBytes) {
        engine.limitAhead(chosenBytes);
    }

    /**
     * Does not wait for a reader at work.
     *
     * @return bytes that can be read without waiting, before urgent data; 0 after {@link #shutdownInput}
     */
    public int available() {
        if (life.isInputShut() || !pin()) {
            return 0;
        }
        try {
            progress();
            return (int) Math.min(Integer.MAX_VALUE, engine.availableBytes());
        } finally {
            unpin();
        }
    }

    /** {@return the receives that are outstanding here; while there are any, nothing else reads} */
    public PostedReceives receives() {
        return receives;
    }

    // Writing.

    /**
     * Writes from {@code source}: without waiting what there is room for, otherwise all of it.
     *
     * @return bytes written, or a code of {@link Outcome}
     * @throws IOException "Connection reset by peer" or "Broken pipe", as TCP
     */
    public int write(ByteBuffer source, Turn turn) throws IOException {
        writeLock.lock();
        try {
            if (life.isClosedBefore()) {
                return Outcome.CLOSED_BEFORE;
            }
            Wait wait = turn.begin();
            Object held = BufferSessions.acquire(source, false);
            try {
                return writer.write(source, wait);
            } finally {
                BufferSessions.release(held);
            }
        } finally {
            unlock(writeLock);
        }
    }

    /**
     * As {@link #write(ByteBuffer, Turn)} without waiting, for a writer that comes back soon: it may be told to do so though
     * there is room, because the peer is likely to advertise memory at any moment.
     *
     * @param patient whether the caller will be back
     */
    public int write(ByteBuffer source, boolean patient) throws IOException {
        writeLock.lock();
        try {
            return writer.write(source, patient);
        } finally {
            unlock(writeLock);
        }
    }

    /** As {@link #write(ByteBuffer, Turn)} for a part of an array. */
    public int write(byte[] source, int offset, int length, Turn turn) throws IOException {
        writeLock.lock();
        try {
            return life.isClosedBefore() ? Outcome.CLOSED_BEFORE : writer.write(source, offset, length, turn.begin());
        } finally {
            unlock(writeLock);
        }
    }

    /**
     * Gathers from {@code sources}; no other writer comes between, and a reader finds together what fits into one transfer.
     *
     * @return bytes written, or a code
     */
    public long write(ByteBuffer[] sources, int offset, int length, Turn turn) throws IOException {
        writeLock.lock();
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
            unlock(writeLock);
        }
    }

    /**
     * Writes a part of a file; no other writer comes between.
     *
     * @return bytes written, or a code
     * @see FileCopy#send
     */
    public long write(FileChannel source, long position, long count, boolean blocking) throws IOException {
        writeLock.lock();
        try {
            // Of a connection that was closed while this call waited for its turn, not even the memory may be left.
            return life.isClosed() ? Outcome.CLOSED : FileCopy.send(source, position, count, writer, blocking);
        } finally {
            unlock(writeLock);
        }
    }

    /** As {@link #write(ByteBuffer, Turn)} for one byte of urgent data. */
    public int writeUrgent(byte data, Turn turn) throws IOException {
        writeLock.lock();
        try {
            return life.isClosedBefore() ? Outcome.CLOSED_BEFORE : writer.writeUrgent(data, turn.begin());
        } finally {
            unlock(writeLock);
        }
    }

    // Waiting.

    @Override
    public boolean check(int slot) {
        progressFully();
        return changed(slot) || (slot == Waiters.READER ? reader.isInterrupted() : writer.isInterrupted());
    }

    @Override
    public boolean changed(int slot) {
        return !completions.isEmpty()
                || life.isClosedOrPeerOver()
                || (slot == Waiters.READER ? reader.mayGoOn() : writer.mayGoOn());
    }
}
