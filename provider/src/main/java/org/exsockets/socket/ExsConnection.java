package org.exsockets.socket;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.config.DirectMode;
import org.exsockets.observe.Statistics;
import org.exsockets.progress.ProgressThread;
import org.exsockets.progress.SpinPolicy;
import org.exsockets.progress.Waiters;
import org.exsockets.stream.StreamEngine;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;

/**
 * One EXS connection with the semantics of a TCP socket; every face (channel, socket) is a thin layer over it.
 *
 * <p>Lock order: {@link #readLock} → {@link #writeLock}. The read lock makes its holder the stream's reader, the write
 * lock its writer; a blocking call holds its lock while it waits, as in the JDK. The poller's role and everything that
 * happens without a call of the program is {@link ConnectionProgress}'s.
 *
 * <p>Memory is released by the last user ({@link #tryRelease}): not before {@link #close} and the disconnect, not while
 * a thread holds a lock, not while a selector knows the connection (selectors look at the completion queue without a
 * lock). Who fails to release because of another user leaves it to that one, who looks again after it has left.
 */
public final class ExsConnection extends ConnectionProgress {
    private static final int YOUNG_WAITS = 8;
    private static final int SPINS_BETWEEN_CLOCK_LOOKS = 32;
    private static final long CLOSE_POLL_NS = 100_000;

    /** For how long a writer is held when the JVM ends; that takes milliseconds. */
    private static final long HELD_NS = 2_000_000_000L;

    /** A code besides those of {@link Outcome}: a reset that is left to the next call to report. */
    private static final int RESET_MEANWHILE = -100;

    /** With {@code exs.direct=always}, how long a large write looks for an ADVERT. */
    private static final long ADVERT_SPIN_NS = 100_000;

    private static final int LITTLE_ROOM = 64 * 1024;
    private static final int MAX_KEPT_ARRAY = 64 * 1024;
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    /** Serialises readers; guards the fields named read…. */
    private final ReentrantLock readLock = new ReentrantLock();

    /** Serialises writers; guards the fields named write…, writing… and {@link #swallowed}. */
    private final ReentrantLock writeLock = new ReentrantLock();

    /** Waits of readers and writers so far, up to {@link #YOUNG_WAITS}. */
    private int waits;

    private final RegisteredWrites registeredWrites = new RegisteredWrites(endpoint);

    private final PostedReceives receives = new PostedReceives(this, endpoint, engine);

    private final DirectReads directReads = new DirectReads(receives, endpoint);

    private final AdvertPatience patience = new AdvertPatience(engine);
    private final DirectTrials trials = new DirectTrials(System::nanoTime);

    private final SpinPolicy young = SpinPolicy.forYoung(events().wakeUpNs());
    private final SpinPolicy readSpin = new SpinPolicy(events().wakeUpNs());
    private final Deadline readDeadline = new Deadline();
    private final SpinPolicy writeSpin = new SpinPolicy(events().wakeUpNs());
    private final Deadline writeDeadline = new Deadline();

    /** The arrays of the latest calls, wrapped: programs mostly come back with the same one. Null if that was large. */
    private ByteBuffer readWrapper = EMPTY;

    private ByteBuffer writeWrapper = EMPTY;

    /** The write that is going on is one of urgent data. */
    private boolean writingUrgent;

    /** Bytes of the write that is going on in buffers behind this one. */
    private long writingBehindBytes;

    /**
     * TCP reports a reset once, to a reader or a writer. Then writers get "Broken pipe", and readers the end of the
     * stream; but one of the JDK's that was told of the reset goes on telling it, see {@link #resetRead}.
     */
    private final AtomicBoolean resetReported = new AtomicBoolean();

    /** A reader was told of the reset. Guarded by {@link #readLock}. */
    private boolean resetRead;

    /**
     * A call was interrupted, and its owner closes as soon as the call has left: whose turn comes in between is told that the
     * owner is closed, as if it had been when the thread was interrupted. Set under one of the locks, before the other call
     * can get it.
     */
    private volatile boolean interrupted;

    /** Set before {@link #outputShut}, after which writers look here. Never reset. */
    private volatile boolean jvmEnds;

    /** A first write after the peer's orderly close succeeds, as TCP's does: the reset comes back later. */
    private boolean swallowed;

    /** Takes over an endpoint nobody has posted to yet. */
    public ExsConnection(Endpoint endpoint) {
        super(endpoint);
        Statistics.jvm().register(traffic);
        LiveConnections.add(this);
        endpoint.attend(this::attend);
    }

    // Reading.

    /**
     * Reads into {@code target} up to its limit.
     *
     * @return bytes read (0 only if there is no space), or a code of {@link Outcome}
     * @throws SocketException "Connection reset" once everything that had arrived was read
     */
    public int read(ByteBuffer target, Wait wait) throws IOException {
        readLock.lock();
        try {
            if (wasOver(readLock)) {
                return Outcome.CLOSED_BEFORE;
            }
            int n = tryRead(target);
            if (n != Outcome.WOULD_BLOCK || wait.timeoutNs() == 0) {
                return n;
            }
            return readWhenReady(target, readDeadline.start(wait));
        } finally {
            unlock(readLock);
        }
    }

    /**
     * As {@link #read(ByteBuffer, Wait)} without waiting, for a read that stays pending until it gets something: meanwhile a
     * large direct buffer may be left to the peer. Until then, or {@link #takeBack}, nothing else is read.
     *
     * @param target the same one until the read is over
     */
    public int readLater(ByteBuffer target) throws IOException {
        readLock.lock();
        try {
            if (directReads.isActive()) {
                progress();
                if (!directReads.isOvertaken() && !readableOrEnded()) {
                    return Outcome.WOULD_BLOCK;
                }
                int n = directReads.end(target, false);
                if (n > 0) {
                    settleLater();
                    return n;
                }
            }
            int n = tryRead(target);
            if (n == Outcome.WOULD_BLOCK) {
                directReads.begin(target, false);
            }
            return n;
        } catch (RuntimeException | Error e) {
            throw readHasFailed(e);
        } finally {
            unlock(readLock);
        }
    }

    /** Ends what {@link #readLater} has left pending. {@return bytes it has got after all; the buffer's position is advanced} */
    public int takeBack(ByteBuffer target) {
        readLock.lock();
        try {
            return directReads.isActive() ? directReads.end(target, true) : 0;
        } catch (RuntimeException | Error e) {
            throw readHasFailed(e);
        } finally {
            unlock(readLock);
        }
    }

    /** The buffer must not be left to the peer. {@return never} */
    private Error readHasFailed(Throwable e) {
        if (directReads.isActive()) {
            directReads.abort();
            fail("a read has failed while its buffer was the peer's: " + e);
        }
        if (e instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        throw (Error) e;
    }

    private int readWhenReady(ByteBuffer target, Deadline deadline) throws IOException {
        try {
            while (true) {
                int ended;
                if (directReads.begin(target, deadline.isEndless())) {
                    ended = awaitDirect(deadline);
                    int n = directReads.end(target, ended != 0);
                    if (n > 0) {
                        settleLater();
                        return n;
                    }
                } else {
                    ended = await(Waiters.READER, readSpin, deadline);
                }
                int n = tryRead(target);
                if (n != Outcome.WOULD_BLOCK) {
                    return n;
                }
                if (ended != 0) {
                    return left(ended);
                }
            }
        } catch (InternalError truncated) {
            directReads.abort();
            throw truncated(truncated);
        } catch (RuntimeException | Error e) {
            throw readHasFailed(e);
        } finally {
            deadline.restoreInterrupt();
        }
    }

    /** Waits until the advertised read is over, or bytes have come elsewhere. {@return 0, or why the call must end} */
    private int awaitDirect(Deadline deadline) {
        while (true) {
            int ended = await(Waiters.READER, readSpin, deadline);
            progress();
            if (ended != 0 || directReads.isOvertaken() || readableOrEnded()) {
                return ended;
            }
        }
    }

    private boolean readableOrEnded() {
        return peerEnd != null || closed.get() || inputShut || engine.finArrived() || engine.readableBytes() > 0;
    }

    private int tryRead(ByteBuffer target) throws IOException {
        try {
            return tryReadMapped(target);
        } catch (InternalError truncated) {
            throw truncated(truncated);
        }
    }

    SocketException truncated(InternalError cause) {
        fail("the peer has taken the shared memory away: " + cause.getMessage());
        return new SocketException("Connection reset");
    }

    private int tryReadMapped(ByteBuffer target) throws IOException {
        if (receives.isActive()) {
            throw new IllegalStateException("read: the next bytes are for receives that are outstanding");
        }
        if (closed.get()) {
            return Outcome.CLOSED;
        }
        if (inputShut) {
            return Outcome.END_OF_STREAM;
        }
        if (!target.hasRemaining()) {
            return 0;
        }
        if (engine.hasMark()) {
            progressFully(); // Whether a byte is the urgent one still depends on what has come behind it.
        } else if (engine.readableBytes() < target.remaining() && !completions.isEmpty()) {
            progress(); // Nothing that has come before the call may be left for the next one.
        }
        int n = engine.tryReceive(target);
        if (n == 0) {
            progress();
            n = engine.tryReceive(target);
        }
        if (n > 0) {
            traffic.addReceivedIndirect(n);
            settleLater();
            return n;
        }
        if (n == StreamEngine.END_OF_STREAM) {
            return Outcome.END_OF_STREAM;
        }
        if (peerEnd != null) {
            // Set after the last arrival was handled: look once more before reporting the end.
            n = engine.tryReceive(target);
            if (n > 0) {
                traffic.addReceivedIndirect(n);
                return n;
            }
            if (n == StreamEngine.END_OF_STREAM) {
                return Outcome.END_OF_STREAM;
            }
            if (resetRead || resetReported.compareAndSet(false, true)) {
                resetRead = true;
                throw new SocketException("Connection reset");
            }
            return Outcome.END_OF_STREAM;
        }
        lookAtLiveness();
        return peerEnd == null ? Outcome.WOULD_BLOCK : tryReadMapped(target);
    }

    /** As {@link #read(ByteBuffer, Wait)} for a part of an array; allocates nothing if the array is the last one again. */
    public int read(byte[] target, int offset, int length, Wait wait) throws IOException {
        readLock.lock();
        try {
            if (wasOver(readLock)) {
                return Outcome.CLOSED_BEFORE;
            }
            ByteBuffer wrapper = wrap(readWrapper, target);
            readWrapper = kept(wrapper);
            return read(wrapper.limit(offset + length).position(offset), wait);
        } finally {
            unlock(readLock);
        }
    }

    private static ByteBuffer wrap(ByteBuffer last, byte[] array) {
        return last.array() == array ? last.clear() : ByteBuffer.wrap(array);
    }

    private static ByteBuffer kept(ByteBuffer wrapper) {
        return wrapper.capacity() <= MAX_KEPT_ARRAY ? wrapper : EMPTY;
    }

    /** Scatters into {@code targets}; waits for the first byte only. {@return bytes read, or a code} */
    public long read(ByteBuffer[] targets, int offset, int length, Wait wait) throws IOException {
        readLock.lock();
        try {
            if (wasOver(readLock)) {
                return Outcome.CLOSED_BEFORE;
            }
            long total = 0;
            for (int i = offset; i < offset + length; i++) {
                if (!targets[i].hasRemaining()) {
                    continue;
                }
                if (total > 0 && (!moreArrived() || engine.atUrgent())) {
                    break; // A further read might report an end, and these bytes would be lost; or pass a mark.
                }
                int n = read(targets[i], total == 0 ? wait : Wait.NONE);
                if (n < 0) {
                    return total > 0 ? total : n;
                }
                total += n;
                if (targets[i].hasRemaining()) {
                    break;
                }
            }
            return total;
        } finally {
            unlock(readLock);
        }
    }

    private boolean moreArrived() {
        if (engine.readableBytes() == 0) {
            progress();
        }
        return engine.readableBytes() > 0;
    }

    /** Whether urgent data stays in the stream (SO_OOBINLINE), or is passed over by reads. */
    public void setUrgentInline(boolean inline) {
        engine.setUrgentInline(inline);
        wakeAll(); // What was not readable may be so now.
    }

    /**
     * The program has set SO_RCVBUF: as TCP's window then is not tuned any more, the hidden buffer does not grow beyond
     * what was asked for. It keeps what it has, 256 KiB at least.
     *
     * @param chosenBytes bytes the program has asked for; 0 if it has not, and nothing happens
     */
    public void limitReceiveBuffer(int chosenBytes) {
        if (chosenBytes > 0) {
            engine.limitBuffer(chosenBytes);
        }
    }

    /**
     * Does not wait for a reader at work.
     *
     * @return bytes that can be read without waiting, before urgent data; 0 after {@link #shutdownInput}
     */
    public int available() {
        if (inputShut || !pin()) {
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

    void lockReader() {
        readLock.lock();
    }

    void unlockReader() {
        unlock(readLock);
    }

    /** {@return whether no more bytes can come, but for an end of the stream} */
    boolean isLost() {
        return peerEnd == PeerEnd.RESET || disconnected;
    }

    /**
     * Waits its turn for a read of which nothing can come, because its buffer is no target.
     *
     * @return 0, or the code of {@link Outcome} that the program is told of instead
     * @throws SocketException "Connection reset" if an earlier read was told so
     */
    public int readNothing() throws SocketException {
        readLock.lock();
        try {
            if (wasOver(readLock)) {
                return Outcome.CLOSED_BEFORE;
            }
            if (resetRead) {
                throw new SocketException("Connection reset");
            }
            return inputShut ? Outcome.END_OF_STREAM : 0;
        } finally {
            unlock(readLock);
        }
    }

    /** Waits until the reader and the writer that are at work have left. {@return false if the connection is closed, or will be} */
    public boolean awaitReaderAndWriter() {
        readLock.lock();
        try {
            writeLock.lock();
            unlock(writeLock);
        } finally {
            unlock(readLock);
        }
        return !isOver();
    }

    private boolean isOver() {
        return interrupted || closed.get();
    }

    /** For a call that has just got its lock: a call within another one was not over when that began. */
    private boolean wasOver(ReentrantLock lock) {
        return isOver() && lock.getHoldCount() == 1;
    }

    // Writing.

    /**
     * Writes from {@code source}: without waiting what there is room for, otherwise all of it.
     *
     * @return bytes written, or a code of {@link Outcome}
     * @throws IOException "Connection reset by peer" or "Broken pipe", as TCP
     */
    public int write(ByteBuffer source, Wait wait) throws IOException {
        writeLock.lock();
        try {
            if (wasOver(writeLock)) {
                return Outcome.CLOSED_BEFORE;
            }
            return write(source, wait, false);
        } finally {
            unlock(writeLock);
        }
    }

    /** @param begun whether the call has written something already: then it does not report an error, the next one does */
    private int write(ByteBuffer source, Wait wait, boolean begun) throws IOException {
        if (wait.timeoutNs() == 0 || !registeredWrites.begin(source)) {
            return writeAll(source, wait, begun);
        }
        try {
            return writeAll(source, wait, begun);
        } finally {
            awaitDevice(wait);
        }
    }

    /** Waits until the device has read what was written from the program's memory. */
    private void awaitDevice(Wait wait) {
        Deadline deadline = writeDeadline.start(wait);
        registeredWrites.finish();
        try {
            while (!registeredWrites.areDone()) {
                if (peerEnd != null || closed.get() || await(Waiters.WRITER, writeSpin, deadline) != 0) {
                    if (!registeredWrites.awaitBriefly()) {
                        fail("the peer's device does not answer, and the program needs its memory back");
                    }
                    return;
                }
                progress();
            }
        } finally {
            registeredWrites.end();
            deadline.restoreInterrupt();
        }
    }

    /**
     * As {@link #write(ByteBuffer, Wait)} without waiting, for a writer that comes back soon: it may be told to do so though
     * there is room, because the peer is likely to advertise memory at any moment.
     *
     * @param patient whether the caller will be back
     */
    public int write(ByteBuffer source, boolean patient) throws IOException {
        writeLock.lock();
        try {
            if (!patient) {
                patience.giveUp();
            } else if (awaitsAdvert(source)) {
                return Outcome.WOULD_BLOCK;
            }
            return write(source, Wait.NONE, false);
        } finally {
            unlock(writeLock);
        }
    }

    private boolean awaitsAdvert(ByteBuffer source) {
        if (!trials.straight() || !patience.waits(source.remaining())) {
            return false;
        }
        progress();
        return patience.waits(source.remaining()) && peerEnd == null && !closed.get();
    }

    private int writeAll(ByteBuffer source, Wait wait, boolean begun) throws IOException {
        int length = source.remaining();
        if (wait.timeoutNs() != 0) {
            while (!engine.holds() && awaitsAdvert(source)) {
                Thread.onSpinWait();
            }
        }
        int n = tryWrite(source, begun);
        if (n < 0 || !source.hasRemaining()) {
            return n;
        }
        if (wait.timeoutNs() == 0) {
            return n == 0 && length > 0 ? Outcome.WOULD_BLOCK : n;
        }
        Deadline deadline = writeDeadline.start(wait);
        try {
            return writeRest(source, length, deadline, begun);
        } finally {
            deadline.restoreInterrupt();
        }
    }

    /** As {@link #write(ByteBuffer, Wait)} for a part of an array. */
    public int write(byte[] source, int offset, int length, Wait wait) throws IOException {
        writeLock.lock();
        try {
            if (wasOver(writeLock)) {
                return Outcome.CLOSED_BEFORE;
            }
            ByteBuffer wrapper = wrap(writeWrapper, source);
            writeWrapper = kept(wrapper);
            wrapper.limit(offset + length).position(offset);
            int n;
            do {
                n = write(wrapper, wait, false); // A stream's write goes on until an error or all is written.
            } while (n > 0 && wrapper.hasRemaining() && wait.timeoutNs() != 0);
            return n < 0 ? n : wrapper.position() - offset;
        } finally {
            unlock(writeLock);
        }
    }

    /**
     * Gathers from {@code sources}; no other writer comes between, and a reader finds together what fits into one transfer.
     *
     * @return bytes written, or a code
     */
    public long write(ByteBuffer[] sources, int offset, int length, Wait wait) throws IOException {
        writeLock.lock();
        try {
            if (wasOver(writeLock)) {
                return Outcome.CLOSED_BEFORE;
            }
            return writeEach(sources, offset, offset + length, wait);
        } finally {
            endGathering();
            unlock(writeLock);
        }
    }

    /** The call may have ended before its last buffer. */
    private void endGathering() {
        writingBehindBytes = 0;
        if (engine.holds()) {
            try {
                engine.announceHeld();
                settleLater();
            } catch (InternalError truncated) {
                truncated(truncated); // The call has its outcome; the next one is told.
            }
        }
    }

    private long writeEach(ByteBuffer[] sources, int first, int end, Wait wait) throws IOException {
        for (int i = first; i < end; i++) {
            writingBehindBytes += sources[i].remaining();
        }
        long total = 0;
        for (int i = first; writingBehindBytes > 0; i++) {
            if (!sources[i].hasRemaining()) {
                continue;
            }
            writingBehindBytes -= sources[i].remaining();
            int n = write(sources[i], wait, total > 0);
            if (n < 0) {
                return total > 0 && n != Outcome.INTERRUPTED ? total : n;
            }
            total += n;
            if (sources[i].hasRemaining()) {
                break;
            }
        }
        return total;
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
            return FileCopy.send(source, position, count, this, blocking);
        } finally {
            unlock(writeLock);
        }
    }

    /** As {@link #write(ByteBuffer, Wait)} for one byte of urgent data. */
    public int writeUrgent(byte data, Wait wait) throws IOException {
        writeLock.lock();
        try {
            writingUrgent = true;
            return write(ByteBuffer.wrap(new byte[] {data}), wait);
        } finally {
            writingUrgent = false;
            unlock(writeLock);
        }
    }

    /** Writer: {@return bytes that can be written without waiting; 0 where a write tells how the connection has ended} */
    long writableBytes() {
        // What is closed may have no memory any more; what is not keeps it while the write lock is held.
        if (closed.get()) {
            return 0;
        }
        if (engine.writableBytes() < LITTLE_ROOM) {
            try {
                progress();
            } catch (InternalError truncated) {
                fail("the peer has taken the shared memory away: " + truncated.getMessage());
                return 0;
            }
        }
        return engine.writableBytes();
    }

    /** The kernel's sendfile, ended by a reset in the middle, forgets it: what follows is told of a broken pipe. */
    void forgetReset() {
        if (peerEnd == PeerEnd.RESET) {
            resetReported.set(true);
        }
    }

    /** {@return whether a further write would report the end of the connection} */
    boolean hasEnded() {
        return peerEnd != null || closed.get() || outputShut;
    }

    private int writeRest(ByteBuffer source, int length, Deadline deadline, boolean begunBefore) throws IOException {
        while (true) {
            int ended = await(Waiters.WRITER, writeSpin, deadline);
            int taken = length - source.remaining();
            int n = tryWrite(source, begunBefore || taken > 0);
            if (n < 0) {
                return taken > 0 ? taken : n;
            }
            if (!source.hasRemaining()) {
                return length;
            }
            if (n == 0 && ended != 0) {
                return left(ended);
            }
        }
    }

    private int left(int outcome) {
        if (outcome == Outcome.INTERRUPTED) {
            interrupted = true;
        }
        return outcome;
    }

    private int tryWrite(ByteBuffer source, boolean begun) throws IOException {
        try {
            return tryWriteMapped(source, begun);
        } catch (InternalError truncated) {
            throw truncated(truncated);
        }
    }

    private int tryWriteMapped(ByteBuffer source, boolean begun) throws IOException {
        if (closed.get()) {
            return Outcome.CLOSED;
        }
        if (outputShut) {
            return Outcome.OUTPUT_SHUT;
        }
        if (!source.hasRemaining()) {
            return 0;
        }
        lookAtLiveness();
        PeerEnd end = peerEnd;
        if (end != null) {
            return begun && end == PeerEnd.RESET ? RESET_MEANWHILE : writeToNobody(source, end, begun);
        }
        if (source.remaining() >= DirectReadPolicy.MIN_POSTED_BYTES) {
            progress(); // The peer may have advertised memory.
            if (DirectReadPolicy.mode() == DirectMode.ALWAYS && engine.directlySentBytes() > 0) {
                spinForAdvert();
            }
        } else if (engine.mayLackRoom(source.remaining() + writingBehindBytes)) {
            progress(); // The peer may have told of more, and a reader that waits is to find all of it.
        }
        long directBefore = engine.directlySentBytes();
        int n = send(source);
        if (source.hasRemaining() && progress()) {
            n += send(source);
        }
        if (n > 0) {
            if (engine.advertsSeen() != 0 && DirectReadPolicy.mode() == DirectMode.AUTO && trials.onWritten(n)) {
                engine.useAdverts(trials.straight());
            }
            long direct = engine.directlySentBytes() - directBefore;
            traffic.addSentDirect(direct);
            traffic.addSentIndirect(n - direct);
            settleLater();
        }
        return n;
    }

    /** A peer that has advertised before may be about to do so again. */
    private void spinForAdvert() {
        long startNs = System.nanoTime();
        while (!engine.hasAdverts() && System.nanoTime() - startNs < ADVERT_SPIN_NS && peerEnd == null) {
            progress();
            Thread.onSpinWait();
        }
    }

    private int send(ByteBuffer source) {
        return writingUrgent
                ? engine.trySendUrgent(source)
                : engine.trySend(source, registeredWrites.registration(), writingBehindBytes > 0);
    }

    private int writeToNobody(ByteBuffer source, PeerEnd end, boolean begun) throws IOException {
        if (end == PeerEnd.ORDERLY && (begun || !swallowed)) {
            swallowed = true;
            int length = source.remaining();
            source.position(source.limit());
            return length;
        }
        if (end == PeerEnd.RESET && !engine.finArrived() && resetReported.compareAndSet(false, true)) {
            throw new IOException("Connection reset by peer");
        }
        throw new IOException("Broken pipe");
    }

    // Waiting.

    /**
     * Waits until something may have changed: spins, then arms and sleeps.
     *
     * @return 0, or why there is no use in waiting on: a code of {@link Outcome}
     */
    private int await(int slot, SpinPolicy own, Deadline deadline) {
        int ended = deadline.ended();
        if (ended != 0 || changed(slot)) {
            return changed(slot) ? 0 : ended;
        }
        SpinPolicy spin = policy(own);
        long spinNs = spin.begin(System.nanoTime());
        if (spinNs > 0) {
            boolean paid = spin(slot, Math.min(spinNs, deadline.remainingNs()), deadline.interruptible());
            spin.end(paid);
            if (paid) {
                return 0;
            }
        }
        // Never disarmed afterwards: the flag is one for reader and writer, and the other may rely on it.
        long sleptAtNs = System.nanoTime();
        waiters.sleep(slot, deadline.remainingNs());
        spin.slept(System.nanoTime() - sleptAtNs);
        return deadline.ended();
    }

    private SpinPolicy policy(SpinPolicy own) {
        if (waits >= YOUNG_WAITS) {
            return own;
        }
        // A reader and a writer may lose a wait or count one too many; it is no more than an age.
        waits++;
        return young;
    }

    @Override
    public boolean armAndCheck(int slot) {
        completions.requestNotification();
        progressFully();
        return changed(slot) || (slot == Waiters.READER ? readDeadline : writeDeadline).interrupted();
    }

    private boolean spin(int slot, long spinNs, boolean interruptible) {
        long startNs = System.nanoTime();
        do {
            for (int i = 0; i < SPINS_BETWEEN_CLOCK_LOOKS; i++) {
                if (changed(slot)) {
                    return true;
                }
                Thread.onSpinWait();
            }
            if (interruptible && Thread.currentThread().isInterrupted()) {
                return true;
            }
        } while (System.nanoTime() - startNs < spinNs);
        return false;
    }

    private boolean changed(int slot) {
        return !completions.isEmpty()
                || peerEnd != null
                || closed.get()
                || (slot == Waiters.READER
                        ? engine.readableBytes() > 0 || engine.finArrived() || inputShut || directReads.isOver()
                        : registeredWrites.isFinishing()
                                ? registeredWrites.areDone()
                                : engine.writableBytes() > 0 || outputShut);
    }

    // Ending.

    /** From now on reads return end of stream. */
    public void shutdownInput() {
        inputShut = true;
        wakeAll();
    }

    /** Sends a FIN behind what was written; later writes fail. */
    public void shutdownOutput() {
        outputShut = true;
        wakeAll();
        finishIfNoWriter();
        tryRelease();
    }

    private void finishIfNoWriter() {
        if (writeLock.tryLock()) {
            try {
                if (!disconnected) {
                    engine.finish();
                    settleLater();
                }
            } finally {
                writeLock.unlock();
            }
        }
    }

    /** How a connection is closed. */
    public enum Close {
        /** With the end of the stream if everything that arrived was read, with a reset otherwise. */
        ORDERLY,

        /** As {@link #ORDERLY}, but the end of the stream goes before the reset, too, unless a writer is at work. */
        OUTPUT_FIRST,

        /** With a reset. */
        ABORT
    }

    /**
     * Closes as TCP does. Idempotent. Never blocks: what is due is sent in the background; {@link #awaitClosed} waits
     * for it.
     */
    public void close(Close how) {
        if (!closed.compareAndSet(false, true) || !pin()) {
            return;
        }
        try {
            closeOnce(how);
        } finally {
            unpin();
        }
    }

    private void closeOnce(Close how) {
        progressFully();
        if (how == Close.ABORT || engine.hasUnread() || peerEnd == PeerEnd.RESET) {
            if (how == Close.OUTPUT_FIRST && peerEnd == null) {
                outputShut = true;
                finishIfNoWriter();
            }
            disconnect(DisconnectReason.ABORT);
        } else {
            outputShut = true;
            finishIfNoWriter();
        }
        wakeAll();
        completeClose();
    }

    /**
     * The JVM ends: what writers have placed is what the peer gets. They are held in their calls, which is what the end of a
     * process looks like to them: no program is shown a failure that TCP does not have. Before {@link #endWithJvm}.
     */
    void holdWriters() {
        jvmEnds = true;
        outputShut = true;
        wakeAll();
    }

    /** Not for ever: the thread may hold a lock of the program that the end of the JVM needs. */
    private void awaitEndOfJvm() {
        long startNs = System.nanoTime();
        for (long left = HELD_NS; left > 0; left = HELD_NS - (System.nanoTime() - startNs)) {
            LockSupport.parkNanos(this, left);
        }
    }

    /**
     * The JVM ends: tells the peer what the kernel tells it for a TCP connection left open. Threads of this JVM that read
     * are neither woken nor shown anything: they end with the JVM. A write that is still not over after {@code limitNs}
     * makes it a reset.
     */
    void endWithJvm(long limitNs) {
        if (closed.get() || !pin()) {
            return;
        }
        try {
            progressFully();
            if (!engine.hasUnread() && peerEnd != PeerEnd.RESET && lockWriter(limitNs)) {
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

    private boolean lockWriter(long limitNs) {
        try {
            return writeLock.tryLock(limitNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return writeLock.tryLock();
        }
    }

    private boolean isDelivered() {
        return disconnected && endpoint.queuePair().delivered();
    }

    /** Waits until all data and the FIN are with the peer (SO_LINGER). {@return false if the time was too short} */
    public boolean awaitClosed(long timeoutNs) {
        long startNs = System.nanoTime();
        while (!isDelivered()) {
            if (System.nanoTime() - startNs > timeoutNs) {
                return false;
            }
            LockSupport.parkNanos(CLOSE_POLL_NS);
        }
        return true;
    }

    @Override
    final boolean receivesHaveEnded() {
        return receives.haveEnded();
    }

    @Override
    void completeClose() {
        if (!closed.get() || disconnected) {
            return;
        }
        if (receives.isActive() && peerEnd == null) {
            return; // The peer may be writing to the program's memory; who takes that back completes the close.
        }
        if (engine.finished() && engine.owesUrgent() && peerEnd == null) {
            return; // Which byte is urgent does not go with the disconnect: the settling thread tells the peer first.
        }
        if (engine.finished()) {
            // What no credit was left for, FIN included, goes with the disconnect as a position.
            disconnect(DisconnectReason.ORDERLY);
        } else if (peerEnd != null) {
            disconnect(DisconnectReason.ABORT);
        } else {
            return; // A writer is at work; it completes the close when it leaves.
        }
        tryRelease();
    }

    private void unlock(ReentrantLock lock) {
        lock.unlock();
        if (outputShut || closed.get()) {
            if (jvmEnds && lock == writeLock && !lock.isHeldByCurrentThread()) {
                awaitEndOfJvm();
            }
            if (!disconnected && !engine.finished()) {
                finishIfNoWriter();
            }
            completeClose();
            tryRelease();
        }
    }

    @Override
    void tryRelease() {
        if (readLock.isHeldByCurrentThread() || writeLock.isHeldByCurrentThread()) {
            // A reader or writer that has just taken the peer's end goes on with its call; it looks again at unlock.
            return;
        }
        // Again after an attempt that failed: who was in its way may have found it in its own way.
        while (closed.get()
                && disconnected
                && !released
                && pins.get() == 0
                && !receives.isActive()
                && !writeLock.isLocked()
                && readLock.tryLock()) {
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

    /** Holds both locks. A pin taken after {@link #released} was set backs off; one taken before makes us back off. */
    private void release() {
        if (receives.isActive()) {
            return; // Who takes the memory back looks again.
        }
        released = true;
        if (pins.get() > 0) {
            released = false;
            return;
        }
        waiters.close();
        endpoint.release();
        ProgressThread.flushClosed();
        Statistics.jvm().retire(traffic);
        LiveConnections.remove(this);
    }
}
