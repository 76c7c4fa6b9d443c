package org.exsockets.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.config.DirectMode;
import org.exsockets.connection.direct.DirectReadPolicy;
import org.exsockets.connection.direct.DirectWrites;
import org.exsockets.connection.direct.RegisteredWrites;
import org.exsockets.connection.life.ConnectionProgress;
import org.exsockets.connection.life.ConnectionWaiting;
import org.exsockets.connection.life.Life;
import org.exsockets.connection.life.Life.Step;
import org.exsockets.jdk.NanoClock;
import org.exsockets.jdk.Threads;
import org.exsockets.memory.CheckedCopy;
import org.exsockets.memory.FailedMemory;
import org.exsockets.observe.Traffic;
import org.exsockets.stream.StreamEngine;
import org.exsockets.waiting.BlockingCall;
import org.exsockets.waiting.Outcome;
import org.exsockets.waiting.Wait;
import org.exsockets.waiting.Waiters;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a connection. The stream's writer, which is the holder of the write lock, uses this object, and waits
 * here while it holds the lock. Other threads call only {@link #mayGoOn}.
 */
final class ConnectionWriter implements BlockingCall.Attempt {
    /**
     * A code besides those of {@link Outcome}: the next call reports the reset, or the failed memory of the program.
     */
    private static final int TOLD_NEXT = -100;

    /** With {@code exs.direct=always}, how long a large write looks for an ADVERT. */
    private static final long ADVERT_SPIN_NS = 100_000;

    private static final int LITTLE_ROOM = 64 * 1024;

    /** Bytes that loopback TCP takes of a write after the peer's close, before the reset is back: the first window. */
    private static final int MOST_SWALLOWED_BYTES = 512 * 1024;

    /** A stream of the JDK passes on so much at a time. Only the first part is taken then, and the write fails. */
    private static final int MOST_SWALLOWED_OF_STREAM_BYTES = 128 * 1024;

    /** A copy of 0 bytes to it checks the source's arena and touches no memory. */
    private static final ByteBuffer NOWHERE = ByteBuffer.allocate(0);

    private final ConnectionProgress progress;
    private final StreamEngine engine;
    private final Life life;
    private final Traffic traffic;
    private final CreditLooks creditLooks = new CreditLooks(NanoClock.SYSTEM);

    final ConnectionWaiting waiting;

    private final LatestArray array = new LatestArray();

    /**
     * Null until {@link #direct(int)} needs it. Set before the writer waits for the device, so another thread that
     * finds null misses nothing.
     */
    private volatile @Nullable DirectWrites direct;

    /** The current write is of urgent data. */
    private boolean urgent;

    /** The current write is a stream's. */
    private boolean ofStream;

    /** The current write is of a file: an interrupt closes the file, not the connection. */
    private boolean ofFile;

    /** Bytes of the current write in buffers behind the current one. */
    private long behindBytes;

    /** Positions of the buffers of a gathering write before it. */
    private int[] starts = {};

    /** What the call that waits has left to write; null: none does. */
    private @Nullable ByteBuffer rest;

    /** Bytes that the call that waits has begun with. */
    private int restBytes;

    /** A part of that call has been written before those bytes. */
    private boolean restBegun;

    /** The call waits for the device to finish these, and for nothing else; null: it waits for room. */
    private @Nullable RegisteredWrites finishing;

    /** Bytes that the first write after the peer's orderly close has taken: as over TCP, the reset comes back later. */
    private int swallowedBytes;

    /** @param sleepers what changes for a thread that waits */
    ConnectionWriter(ConnectionProgress progress, Waiters.Sleepers sleepers) {
        this.progress = progress;
        this.engine = progress.engine;
        this.life = progress.life;
        this.traffic = progress.traffic;
        this.waiting = new ConnectionWaiting(progress, sleepers, Waiters.WRITER);
    }

    /** {@return whether there may be room, or the device may be done, or there is an end to report; any thread} */
    boolean mayGoOn() {
        DirectWrites known = direct;
        return known != null && known.registered().isFinishing()
                ? known.registered().areDone()
                : engine.writableBytes() > 0 || life.isOutputShut();
    }

    /** {@return what a write of {@code length} bytes needs to go straight; null if it cannot} */
    private @Nullable DirectWrites direct(int length) {
        DirectWrites known = direct;
        if (known == null
                && (length >= DirectReadPolicy.MIN_POSTED_BYTES
                        || engine.advertsSeen() != 0
                        || DirectReadPolicy.mode() == DirectMode.ALWAYS)) {
            known = new DirectWrites(engine, progress.endpoint);
            direct = known;
        }
        return known;
    }

    /** @see ExsConnection#write(ByteBuffer, boolean) */
    int write(ByteBuffer source, boolean patient) throws IOException {
        if (!patient) {
            DirectWrites known = direct;
            if (known != null) {
                known.giveUp();
            }
        } else if (awaitsAdvert(direct(source.remaining()), source.remaining())) {
            return Outcome.WOULD_BLOCK;
        }
        return write(source, Wait.NONE, false);
    }

    /** @see ExsConnection#write(byte[], int, int, Turn) */
    int write(byte[] source, int offset, int length, Wait wait) throws IOException {
        ByteBuffer wrapper = array.wrap(source, offset, length);
        boolean shutBefore = life.isOutputShut();
        ofStream = true;
        try {
            int n;
            do {
                n = write(wrapper, wait, false); // A stream's write goes on until an error or all is written.
            } while (n > 0 && wrapper.hasRemaining() && wait.timeoutNs() != 0);
            if (n == Outcome.OUTPUT_SHUT && !shutBefore) {
                throw progress.cannotSend(); // Shut since the JDK's check: the kernel's answer.
            }
            return n < 0 ? n : wrapper.position() - offset;
        } finally {
            ofStream = false;
        }
    }

    /** As {@link #write(ByteBuffer, Wait, boolean)}, for {@link FileCopy}: an interrupt ends the write, and nothing else. */
    int writeOfFile(ByteBuffer source, Wait wait) throws IOException {
        ofFile = true;
        try {
            return write(source, wait, false);
        } finally {
            ofFile = false;
        }
    }

    /** @see ExsConnection#writeUrgent */
    int writeUrgent(byte data, Wait wait) throws IOException {
        urgent = true;
        try {
            return write(ByteBuffer.wrap(new byte[] {data}), wait, false);
        } finally {
            urgent = false;
        }
    }

    /** @see ExsConnection#write(ByteBuffer[], int, int, Turn) */
    long write(ByteBuffer[] sources, int offset, int length, Wait wait) throws IOException {
        try {
            return writeEach(sources, offset, offset + length, wait);
        } finally {
            endGathering();
        }
    }

    private long writeEach(ByteBuffer[] sources, int first, int end, Wait wait) throws IOException {
        if (starts.length < end - first) {
            starts = new int[end - first];
        }
        for (int i = first; i < end; i++) {
            checkMemory(sources[i]);
            starts[i - first] = sources[i].position();
            behindBytes += sources[i].remaining();
        }
        long total = 0;
        for (int i = first; i < end && behindBytes > 0; i++) {
            ByteBuffer source = sources[i];
            int written = source.position();
            source.position(starts[i - first]); // The same buffer may have stood before: it is written again.
            if (!source.hasRemaining()) {
                continue;
            }
            behindBytes -= source.remaining();
            int n = write(source, wait, total > 0);
            if (n <= 0) {
                source.position(written);
            }
            if (n < 0) {
                return total > 0 && n != Outcome.INTERRUPTED ? total : n;
            }
            total += n;
            if (source.hasRemaining()) {
                break;
            }
        }
        return total;
    }

    /**
     * Memory of an arena that is closed, or another thread's, is refused before the buffers in front of it are written.
     */
    private static void checkMemory(ByteBuffer source) {
        NOWHERE.put(0, source, source.position(), 0);
    }

    /** The call may have ended before its last buffer. */
    private void endGathering() {
        behindBytes = 0;
        if (engine.holds()) {
            engine.announceHeld();
            progress.settleLater();
        }
    }

    // For a copy of a file, between its writes.

    /** {@return bytes that can be written without waiting; 0 also if the connection is closed} */
    long writableBytes() {
        // A closed connection may have no memory any more; an open one keeps it while the write lock is held.
        if (life.isClosed()) {
            return 0;
        }
        if (engine.writableBytes() < LITTLE_ROOM) {
            progress.progress();
        }
        return engine.writableBytes();
    }

    /** As the kernel's sendfile after a reset in the middle: later calls report a broken pipe, not the reset. */
    void forgetReset() {
        if (life.isReset()) {
            life.go(Step.TELL_RESET);
        }
    }

    /** {@return whether a further write would report the end of the connection} */
    boolean hasEnded() {
        return !life.takesWrites();
    }

    // Waiting.

    /**
     * @param begun whether the call has written something already: then the next call reports an error, not this one
     * @see ExsConnection#write(ByteBuffer, Turn)
     */
    int write(ByteBuffer source, Wait wait, boolean begun) throws IOException {
        if (wait.timeoutNs() == 0) {
            return writeAll(source, wait, null, begun);
        }
        DirectWrites ways = direct(source.remaining());
        if (ways == null || !ways.registered().begin(source)) {
            return writeAll(source, wait, ways, begun);
        }
        try {
            return writeAll(source, wait, ways, begun);
        } finally {
            awaitDevice(source, ways.registered(), wait);
        }
    }

    /** @param ways how bytes may go straight; null: they cannot, or the call does not wait for that */
    private int writeAll(ByteBuffer source, Wait wait, @Nullable DirectWrites ways, boolean begun) throws IOException {
        int length = source.remaining();
        while (ways != null && !engine.holds() && awaitsAdvert(ways, length)) {
            Thread.onSpinWait();
        }
        int n = tryWrite(source, begun);
        if (n < 0 || !source.hasRemaining()) {
            return n;
        }
        if (wait.timeoutNs() == 0) {
            return n == 0 && length > 0 ? Outcome.WOULD_BLOCK : n;
        }
        if (n > 0 && returnsPart()) {
            return n;
        }
        rest = source;
        restBytes = length;
        restBegun = begun;
        try {
            waiting.deadline.start(wait);
            n = waiting.run(this);
            return ofFile ? n : waiting.left(n);
        } finally {
            rest = null;
        }
    }

    @Override
    public int attempt(int ended) throws IOException {
        RegisteredWrites device = finishing;
        return device != null ? tryFinish(device) : tryRest(ended);
    }

    @SuppressWarnings("NullAway") // Within a call that waits.
    private int tryRest(int ended) throws IOException {
        int taken;
        int n;
        do { // A call that ends takes what there is room for.
            taken = restBytes - rest.remaining();
            n = tryWrite(rest, restBegun || taken > 0);
        } while (n > 0 && ended != 0 && rest.hasRemaining() && !returnsPart());
        if (n < 0) {
            return taken > 0 ? taken : n;
        }
        if (!rest.hasRemaining()) {
            return restBytes;
        }
        return n > 0 && returnsPart() ? taken + n : Outcome.WOULD_BLOCK;
    }

    /** In a virtual thread the JDK's channels return what they have written as soon as they would have to wait. */
    private boolean returnsPart() {
        return !ofStream && Threads.currentIsVirtual();
    }

    /** Waits until the device has read what was written from the program's memory. */
    private void awaitDevice(ByteBuffer source, RegisteredWrites registered, Wait wait) throws IOException {
        registered.finish();
        finishing = registered;
        try {
            waiting.deadline.start(wait);
            if (!registered.areDone()
                    && (life.isClosedOrPeerOver() || waiting.run(this) != 0)
                    && !registered.awaitBriefly(source)) {
                progress.fail("the peer's device does not answer, and the program needs its memory back");
            }
        } finally {
            finishing = null;
            registered.end();
        }
    }

    private int tryFinish(RegisteredWrites device) {
        progress.progress();
        if (device.areDone()) {
            return 0;
        }
        return life.isClosedOrPeerOver() ? Outcome.CLOSED : Outcome.WOULD_BLOCK;
    }

    private boolean awaitsAdvert(@Nullable DirectWrites ways, int length) {
        if (ways == null || !ways.tryWait(length)) {
            return false;
        }
        progress.progress();
        return ways.tryWait(length) && !life.isClosedOrPeerOver();
    }

    // Trying.

    private static <E extends Exception> int leaveToTheNext(E failure, boolean begun) throws E {
        if (begun) {
            return TOLD_NEXT;
        }
        throw failure;
    }

    private int tryWrite(ByteBuffer source, boolean begun) throws IOException {
        if (life.isOutputOver()) {
            return life.isClosed() ? Outcome.CLOSED : Outcome.OUTPUT_SHUT;
        }
        int length = source.remaining();
        if (length == 0) {
            return 0;
        }
        progress.lookAtLiveness();
        if (life.isPeerOver()) {
            boolean reset = life.isReset();
            return begun && reset ? TOLD_NEXT : writeToNobody(source, !reset, begun);
        }
        if (length >= DirectReadPolicy.MIN_POSTED_BYTES) {
            progress.progress(); // The peer may have advertised memory.
            if (DirectReadPolicy.mode() == DirectMode.ALWAYS && engine.directlySentBytes() > 0) {
                spinForAdvert();
            }
        } else if (creditLooks.tryLook(engine.hasFewCredits()) || engine.mayLackRoom(length + behindBytes)) {
            // The peer may have returned credits or room, and a waiting reader is to get all bytes at once.
            progress.progress();
        }
        int n;
        try {
            n = send(source, length);
        } catch (FailedMemory failed) {
            return leaveToTheNext(FailedMemory.badAddress(), begun);
        } catch (RuntimeException failed) {
            return leaveToTheNext(failed, begun);
        }
        if (n == 0 && progress.peerIsLeaving()) {
            return writeToNobody(source, true, begun);
        }
        if (n > 0) {
            if (engine.advertsSeen() == 0) {
                traffic.addSentIndirect(n);
            } else {
                onWritten(n);
            }
            progress.settleLater();
        } else {
            progress.progressFully(); // If this end's hidden buffer is full, too, it may grow now.
        }
        return n;
    }

    /** For writes to a peer that advertises. */
    @SuppressWarnings("NullAway") // It is there once an ADVERT has been seen.
    private void onWritten(int bytes) {
        if (DirectReadPolicy.mode() == DirectMode.AUTO) {
            direct(bytes).onWritten(bytes);
        }
        long direct = engine.directlySentBytes() - traffic.bytesSentDirect();
        traffic.addSentDirect(direct);
        traffic.addSentIndirect(bytes - direct);
    }

    /** A peer that has advertised before may be about to do so again. */
    private void spinForAdvert() {
        long startNs = System.nanoTime();
        while (!engine.hasAdverts() && System.nanoTime() - startNs < ADVERT_SPIN_NS && !life.isPeerOver()) {
            progress.progress();
            Thread.onSpinWait();
        }
    }

    /** If memory of the program fails, the bytes taken before count; the next call reports the failure. */
    private int send(ByteBuffer source, int length) {
        try {
            int sent = sendOnce(source);
            if (sent < length && progress.progress()) {
                sent += sendOnce(source);
            }
            if (sent < length && engine.takeReserve()) {
                sent += sendOnce(source);
            }
            return sent;
        } catch (RuntimeException failed) {
            int sent = length - source.remaining();
            if (sent == 0) {
                throw failed;
            }
            return sent;
        }
    }

    private int sendOnce(ByteBuffer source) {
        if (urgent) {
            return engine.trySendUrgent(source);
        }
        DirectWrites known = direct;
        return engine.trySend(source, known == null ? null : known.registered().registration(), behindBytes > 0);
    }

    /** @param orderly whether the peer has closed in order */
    private int writeToNobody(ByteBuffer source, boolean orderly, boolean begun) throws IOException {
        if (orderly && (begun || swallowedBytes == 0)) {
            int most = ofStream ? MOST_SWALLOWED_OF_STREAM_BYTES : MOST_SWALLOWED_BYTES;
            int length = Math.min(source.remaining(), most - swallowedBytes);
            if (length <= 0) {
                return TOLD_NEXT;
            }
            if (CheckedCopy.fails(source, source.position(), length)) {
                // TCP copies the bytes into the socket before it knows anything of the peer.
                return leaveToTheNext(FailedMemory.badAddress(), begun);
            }
            swallowedBytes += length;
            life.go(Step.WRITE_TO_NOBODY);
            source.position(source.position() + length);
            return length;
        }
        throw progress.cannotSend();
    }
}
