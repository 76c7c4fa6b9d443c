package org.exsockets.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.exsockets.config.DirectMode;
import org.exsockets.connection.WriteCall.Of;
import org.exsockets.connection.direct.DirectReadPolicy;
import org.exsockets.connection.direct.DirectWrites;
import org.exsockets.connection.direct.RegisteredWrites;
import org.exsockets.connection.life.ConnectionProgress;
import org.exsockets.connection.life.ConnectionWaiting;
import org.exsockets.connection.life.Life;
import org.exsockets.connection.life.Life.Step;
import org.exsockets.jdk.NanoClock;
import org.exsockets.memory.CheckedCopy;
import org.exsockets.memory.FailedMemory;
import org.exsockets.stream.Outgoing;
import org.exsockets.verbs.ProgramMemory;
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

    private final ConnectionProgress progress;
    private final Outgoing outgoing;
    private final Life life;
    private final CreditLooks creditLooks = new CreditLooks(NanoClock.SYSTEM);

    final ConnectionWaiting waiting;

    private final LatestArray array = new LatestArray();

    /**
     * Null until {@link #direct(int)} needs it, or there from the beginning with {@code exs.direct=always}. Set before the
     * writer waits for the device, so another thread that finds null misses nothing.
     */
    private volatile @Nullable DirectWrites direct;

    private final WriteCall call = new WriteCall();

    /** Bytes that the first write after the peer's orderly close has taken: as over TCP, the reset comes back later. */
    private int swallowedBytes;

    /** @param sleepers what changes for a thread that waits */
    ConnectionWriter(ConnectionProgress progress, Waiters.Sleepers sleepers) {
        this.progress = progress;
        this.outgoing = progress.engine.outgoing;
        this.life = progress.life;
        this.waiting = new ConnectionWaiting(progress, sleepers, Waiters.WRITER);
        if (DirectReadPolicy.mode() == DirectMode.ALWAYS) {
            this.direct = new DirectWrites(outgoing, progress.endpoint);
        }
    }

    /** {@return whether there may be room, or the device may be done, or there is an end to report; any thread} */
    boolean mayGoOn() {
        RegisteredWrites device = finishing();
        return device != null ? device.areDone() : outgoing.writableBytes() > 0 || life.isOutputShut();
    }

    /** {@return what the writer waits for the device to finish; null: for room, if it waits; any thread} */
    private @Nullable RegisteredWrites finishing() {
        DirectWrites known = direct;
        return known != null && known.registered().isFinishing() ? known.registered() : null;
    }

    /** {@return what a write of {@code length} bytes needs to go straight; null if it cannot} */
    private @Nullable DirectWrites direct(int length) {
        DirectWrites known = direct;
        if (known == null && (length >= DirectReadPolicy.MIN_POSTED_BYTES || outgoing.direct.advertsSeen() != 0)) {
            known = new DirectWrites(outgoing, progress.endpoint);
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
        return write(Of.CHANNEL, source, Wait.NONE);
    }

    /** @see ExsConnection#write(byte[], int, int, Turn) */
    int write(byte[] source, int offset, int length, Wait wait) throws IOException {
        ByteBuffer wrapper = array.wrap(source, offset, length);
        boolean shutBefore = life.isOutputShut();
        call.of = Of.STREAM;
        int n;
        do {
            n = write(wrapper, wait, false); // A stream's write goes on until an error or all is written.
        } while (n > 0 && wrapper.hasRemaining() && wait.timeoutNs() != 0);
        if (n == Outcome.OUTPUT_SHUT && !shutBefore) {
            throw progress.cannotSend(); // Shut since the JDK's check: the kernel's answer.
        }
        return n < 0 ? n : wrapper.position() - offset;
    }

    /** Writes from one buffer. {@return as {@link ExsConnection#write(ByteBuffer, Turn)}} */
    int write(Of of, ByteBuffer source, Wait wait) throws IOException {
        call.of = of;
        return write(source, wait, false);
    }

    /** @see ExsConnection#write(ByteBuffer[], int, int, Turn) */
    long write(ByteBuffer[] sources, int offset, int length, Wait wait) throws IOException {
        call.of = Of.CHANNEL;
        try {
            call.gather(sources, offset, offset + length);
            return writeEach(sources, offset, length, wait);
        } finally {
            call.behindBytes = 0; // The call may have ended before its last buffer.
            if (outgoing.holds()) {
                outgoing.announceHeld();
                progress.settleLater();
            }
        }
    }

    private long writeEach(ByteBuffer[] sources, int offset, int length, Wait wait) throws IOException {
        long total = 0;
        for (int i = 0; i < length && call.behindBytes > 0; i++) {
            ByteBuffer source = sources[offset + i];
            int written = source.position();
            call.next(source, i);
            if (!source.hasRemaining()) {
                continue;
            }
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

    // For a copy of a file, between its writes.

    /** {@return bytes that can be written without waiting; 0 also if the connection is closed} */
    long writableBytes() {
        // A closed connection may have no memory any more; an open one keeps it while the write lock is held.
        if (life.isClosed()) {
            return 0;
        }
        if (outgoing.writableBytes() < LITTLE_ROOM) {
            progress.progress();
        }
        return outgoing.writableBytes();
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

    /** @param begun whether the call has written something already: then the next call reports an error, not this one */
    private int write(ByteBuffer source, Wait wait, boolean begun) throws IOException {
        int length = source.remaining();
        boolean waits = wait.timeoutNs() != 0;
        DirectWrites ways = waits ? direct(length) : null;
        RegisteredWrites registered = ways != null && ways.registered().begin(source) ? ways.registered() : null;
        try {
            int n = tryWrite(source, begun);
            if (n < 0 || !source.hasRemaining()) {
                return n;
            }
            if (!waits) {
                return n == 0 && length > 0 ? Outcome.WOULD_BLOCK : n;
            }
            return n > 0 && call.returnsPart() ? n : writeRest(source, length, wait, begun);
        } finally {
            if (registered != null) {
                awaitDevice(source, registered, wait);
            }
        }
    }

    private int writeRest(ByteBuffer source, int length, Wait wait, boolean begun) throws IOException {
        call.rest = source;
        call.restBytes = length;
        call.restBegun = begun;
        try {
            waiting.deadline.start(wait);
            int n = waiting.run(this);
            return call.of == Of.FILE ? n : waiting.left(n);
        } finally {
            call.rest = null;
        }
    }

    @Override
    public int attempt(int ended) throws IOException {
        RegisteredWrites device = finishing();
        return device != null ? tryFinish(device) : tryRest(ended);
    }

    @SuppressWarnings("NullAway") // Within a call that waits.
    private int tryRest(int ended) throws IOException {
        ByteBuffer rest = call.rest;
        int taken;
        int n;
        do { // A call that ends takes what there is room for.
            taken = call.restBytes - rest.remaining();
            n = tryWrite(rest, call.restBegun || taken > 0);
        } while (n > 0 && ended != 0 && rest.hasRemaining() && !call.returnsPart());
        if (n < 0) {
            return taken > 0 ? taken : n;
        }
        if (!rest.hasRemaining()) {
            return call.restBytes;
        }
        return n > 0 && call.returnsPart() ? taken + n : Outcome.WOULD_BLOCK;
    }

    /** Waits until the device has read what was written from the program's memory. */
    private void awaitDevice(ByteBuffer source, RegisteredWrites registered, Wait wait) throws IOException {
        registered.finish();
        try {
            waiting.deadline.start(wait);
            if (!registered.areDone()
                    && (life.isClosedOrPeerOver() || waiting.run(this) != 0)
                    && !registered.awaitBriefly(source)) {
                progress.fail("the peer's device does not answer, and the program needs its memory back");
            }
        } finally {
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
            if (DirectReadPolicy.mode() == DirectMode.ALWAYS && outgoing.direct.sentBytes() > 0) {
                spinForAdvert();
            }
        } else if (creditLooks.tryLook(outgoing.hasFewCredits()) || outgoing.mayLackRoom(length + call.behindBytes)) {
            // The peer may have returned credits or room, and a waiting reader is to get all bytes at once.
            progress.progress();
        }
        int n;
        try {
            DirectWrites known = direct;
            ProgramMemory registration =
                    known == null ? null : known.registered().registration();
            n = outgoing.send(source, registration, call.behindBytes > 0, call.of == Of.URGENT);
        } catch (FailedMemory failed) {
            return leaveToTheNext(FailedMemory.badAddress(), begun);
        } catch (RuntimeException failed) {
            return leaveToTheNext(failed, begun);
        }
        if (n == 0 && progress.peerIsLeaving()) {
            return writeToNobody(source, true, begun);
        }
        if (n > 0) {
            if (outgoing.direct.advertsSeen() == 0) {
                progress.traffic.bytesSentIndirect += n;
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
        long direct = outgoing.direct.sentBytes() - progress.traffic.bytesSentDirect;
        progress.traffic.bytesSentDirect += direct;
        progress.traffic.bytesSentIndirect += bytes - direct;
    }

    /** A peer that has advertised before may be about to do so again. */
    private void spinForAdvert() {
        long startNs = System.nanoTime();
        while (!outgoing.direct.hasAdverts() && System.nanoTime() - startNs < ADVERT_SPIN_NS && !life.isPeerOver()) {
            progress.progress();
            Thread.onSpinWait();
        }
    }

    /** @param orderly whether the peer has closed in order */
    private int writeToNobody(ByteBuffer source, boolean orderly, boolean begun) throws IOException {
        if (orderly && (begun || swallowedBytes == 0)) {
            int most = call.of == Of.STREAM ? MOST_SWALLOWED_OF_STREAM_BYTES : MOST_SWALLOWED_BYTES;
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
