package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.exsockets.memory.CheckedCopy;
import org.exsockets.stream.direct.PendingReceives;
import org.exsockets.stream.direct.Receive;
import org.exsockets.stream.link.Link;
import org.exsockets.stream.link.Rules;
import org.exsockets.verbs.MoreRoom;
import org.jspecify.annotations.Nullable;

/**
 * The direction of a stream that this end receives.
 *
 * <p>Its bytes come through the hidden buffer ({@link HiddenBuffers}) or directly into a receive of the program ({@link
 * PendingReceives}). Positions in hidden buffers count only <em>buffered bytes</em>, not those that came directly. A
 * receive is advertised only when no byte is unread, and no buffered byte arrives between an ADVERT and its bytes. So
 * the two never mix; see {@link Rules}.
 *
 * <table><caption>Counters</caption>
 * <tr><th>counter</th><th>written by</th><th>meaning</th></tr>
 * <tr><td>arrived</td><td>poller</td><td>buffered bytes announced by the peer</td></tr>
 * <tr><td>direct</td><td>poller</td><td>bytes that came into memory of the program</td></tr>
 * <tr><td>copied</td><td>reader</td><td>buffered bytes handed to the program</td></tr>
 * <tr><td>acknowledged</td><td>flush</td><td>copied bytes that the peer knows of</td></tr>
 * </table>
 */
public final class Incoming implements Flusher.Receiver {
    /** {@link #tryReceive}: the stream has ended and everything was read. */
    public static final int END_OF_STREAM = -1;

    private final Link link;
    private final Flusher flusher;

    // Poller.
    private volatile long arrived;
    private long direct;
    volatile boolean finArrived;
    final HiddenBuffers buffers;

    /** Null until {@link #receives} is called for the first time: a stream without posted receives needs none. */
    volatile @Nullable PendingReceives receives;

    public final ReceivedUrgentData urgent = new ReceivedUrgentData();

    // Reader.
    volatile long copied;

    /** The buffer that holds the next byte to read, or ends just before it. */
    private HiddenBuffer reading;

    // Flush.
    private volatile long acknowledged;

    /** The buffer of {@link #acknowledged}. Other threads read its threshold; a stale value costs a needless check. */
    private HiddenBuffer acknowledging;

    private static final AtomicLongFieldUpdater<Incoming> ARRIVED =
            AtomicLongFieldUpdater.newUpdater(Incoming.class, "arrived");
    private static final AtomicLongFieldUpdater<Incoming> COPIED =
            AtomicLongFieldUpdater.newUpdater(Incoming.class, "copied");
    private static final AtomicLongFieldUpdater<Incoming> ACKNOWLEDGED =
            AtomicLongFieldUpdater.newUpdater(Incoming.class, "acknowledged");

    Incoming(Link link, Flusher flusher) {
        this.link = link;
        this.flusher = flusher;
        this.buffers = new HiddenBuffers(link);
        this.reading = buffers.arriving;
        this.acknowledging = buffers.arriving;
    }

    // Reader.

    /**
     * Reader: copies what has arrived into {@code target}, up to its limit, and advances its position. Not while a
     * {@link Receive} is pending.
     *
     * @return bytes copied; 0 if there is nothing now or no space; {@link #END_OF_STREAM}
     * @throws RuntimeException if {@code target} cannot take them: nothing was read
     */
    public int tryReceive(ByteBuffer target) {
        int position = target.position();
        int n = tryReceive(target, position, target.limit() - position);
        if (n > 0) {
            target.position(position + n);
        }
        acknowledge();
        return n;
    }

    /**
     * Reader: copies what has arrived into the receive of {@link StreamEngine#takeWaiting}. {@link StreamEngine#filled}
     * must follow.
     *
     * @return bytes copied
     */
    public int fill(Receive receive) {
        int n = tryReceive(receive.memory(), receive.offset() + receive.received(), receive.wanted());
        acknowledge();
        return Math.max(0, n);
    }

    private void acknowledge() {
        if (acknowledgeDue()) {
            flusher.flush();
        }
    }

    private int tryReceive(ByteBuffer target, int at, int length) {
        // The order of these reads matters. A FIN seen before the counters means that they are final. Bytes that were
        // spilled before a buffered byte arrived are seen once that byte is.
        boolean last = finArrived;
        long seen = arrived;
        PendingReceives direct = receives;
        if (direct != null && direct.spill().bytes() != 0) {
            return direct.spill().take(target, at, length);
        }
        long readable = seen - copied;
        if (readable != 0 && urgent.isMarked()) {
            readable = skipUrgent(readable);
        }
        if (readable == 0) {
            return last ? END_OF_STREAM : 0;
        }
        int taken = (int) Math.min(readable, length);
        HiddenBuffer from = reading;
        int offset = from.offset(copied);
        int first = (int) Math.min(Math.min(taken, from.length - offset), from.end - copied);
        CheckedCopy.copy(target, at, from.memory, offset, first);
        if (first < taken) {
            receiveRest(target, at + first, copied + first, taken - first);
        }
        COPIED.lazySet(this, copied + taken);
        return taken;
    }

    /** Copies bytes from the beginning of the buffer, behind its last byte, and from the next buffers. */
    private void receiveRest(ByteBuffer target, int at, long position, int length) {
        HiddenBuffer from = reading;
        int done = 0;
        while (true) {
            int here = (int) Math.min(length - done, from.end - position - done);
            CheckedCopy.copy(target, at + done, from.memory, from.offset(position + done), here);
            done += here;
            if (done == length) {
                break;
            }
            from = from.next;
        }
        while (reading != from) {
            HiddenBuffer left = reading;
            reading = left.next;
            left.release();
        }
    }

    /** {@return whether a read that has got bytes must end here, just before an urgent one; reader} */
    public boolean atUrgent() {
        return urgent.isAt(copied);
    }

    /** Skips urgent bytes that are not for the program. {@return how many bytes one read may take now} */
    private long skipUrgent(long readable) {
        long skipped = urgent.skipped(copied, readable);
        if (skipped > 0) {
            HiddenBuffer from = reading;
            if (copied + skipped > from.end) {
                reading = from.next;
                from.release();
            }
            COPIED.lazySet(this, copied + skipped);
        }
        return urgent.limit(copied, readable - skipped);
    }

    // Poller.

    /** @param waited the writer has waited for room before */
    void onBytes(int generation, long length, boolean waited) {
        if (generation != buffers.arriving.generation) {
            link.violation("bytes in a hidden buffer that is not the current one", generation);
        } else if (finArrived || length <= 0 || length > free()) {
            link.violation("bytes beyond the hidden buffer or the end of the stream", length);
        } else {
            // First: a thread that sees these bytes finds no live ADVERT.
            PendingReceives known = receives;
            if (known != null) {
                known.onIndirect();
            } else if (arrived == 0) {
                link.listener.onReceivingPhase();
            }
            ARRIVED.lazySet(this, arrived + length);
        }
        if (waited && buffers.growth != null) {
            buffers.growth.onWait(buffers.arriving, copied);
        }
    }

    /** {@return bytes that the peer may still write, as far as it knows} */
    private long free() {
        HiddenBuffer in = buffers.arriving;
        return in.length - (arrived - Math.max(in.base, acknowledged));
    }

    /** {@return whether the peer has no room to write to} */
    boolean isFull() {
        return free() == 0;
    }

    void onDirect(int id, int length) {
        String problem =
                finArrived ? "bytes behind the end of the stream" : receives().onDirect(id, length, unread());
        if (problem == null) {
            direct += length;
        } else {
            link.violation(problem, id);
        }
    }

    /** The peer has switched to the longer buffer of this end. */
    void onSwitched(int generation, long position) {
        if (finArrived || position != arrived || !buffers.onSwitched(generation, position)) {
            link.violation("switch to a hidden buffer that was not announced, or at the wrong position", position);
        }
    }

    void onUrgent(long position) {
        // The byte may be the first of the next buffer, but no later one: all before it are placed in this buffer.
        if (finArrived || position < arrived || position - arrived > buffers.arriving.length) {
            link.violation("urgent byte beyond the hidden buffer or the end of the stream", position);
            return;
        }
        urgent.onMark(position, arrived, copied);
    }

    void onFin(long position) {
        if (finArrived || position != arrived + direct) {
            link.violation("end of the stream at the wrong position", position);
            return;
        }
        // First: a thread that sees the end finds no live ADVERT.
        if (receives != null) {
            receives.killAll();
        }
        finArrived = true;
        if (buffers.growth != null) {
            buffers.growth.stop();
        }
    }

    void onCancelled(int id) {
        if (!receives().onCancelled(id)) {
            link.violation("answer to a CANCEL that was not sent", id);
        }
    }

    /** {@return bytes of the stream that this end has been told of; exact for the poller} */
    long heardBytes() {
        return arrived + direct;
    }

    void onPeerClosed(long position) {
        long unannounced = position - heardBytes();
        if (unannounced > 0) {
            onBytes(buffers.arriving.generation, unannounced, false);
        }
        onFin(position);
        advance();
    }

    /** Advances the receives of the program after a change. */
    void advance() {
        PendingReceives known = receives;
        if (known != null && known.size() > 0) {
            known.advance(arrived + direct, unread(), finArrived);
        }
    }

    /** {@return bytes that have arrived and are in no receive; exact for the poller while the reader does not copy} */
    private long unread() {
        // Spilled bytes came directly, so arrived does not count them.
        return spilledBytes() + (arrived - copied);
    }

    /** {@return the receives of the program; made by the first call} */
    PendingReceives receives() {
        PendingReceives known = receives;
        if (known == null) {
            known = new PendingReceives(link, arrived == 0);
            receives = known;
        }
        return known;
    }

    // Flush.

    @Override
    public boolean acknowledgeDue() {
        return copied - acknowledged >= acknowledging.acknowledgeThreshold;
    }

    @Override
    public long takeFreed() {
        long read = copied;
        while (read > acknowledging.end) {
            // The peer has left this buffer, and needs no ACK for it.
            long left = acknowledging.end;
            acknowledging = acknowledging.next;
            ACKNOWLEDGED.lazySet(this, left);
        }
        long freed = read - acknowledged;
        if (freed < acknowledging.acknowledgeThreshold) {
            return 0;
        }
        ACKNOWLEDGED.lazySet(this, read);
        return freed;
    }

    /** {@link StreamEngine#trim}: of what was read and not acknowledged yet, and of the buffers that were left. */
    void trim(MoreRoom.Shared shared) {
        HiddenBuffer in = acknowledging;
        for (int i = 0; i < in.generation; i++) {
            ByteBuffer left = i == 0 ? link.endpoint.exposed() : shared.takenByPeer(i);
            shared.free(Objects.requireNonNull(left), 0, left.capacity());
        }
        long from = Math.max(acknowledged, in.base);
        int freed = (int) (Math.min(copied, in.end) - from);
        int offset = in.offset(from);
        int first = Math.min(freed, in.length - offset);
        shared.free(in.memory, offset, first);
        shared.free(in.memory, 0, freed - first);
    }

    @Override
    public int acknowledgedGeneration() {
        return acknowledging.generation;
    }

    // Any thread.

    /** {@return whether the peer's FIN has been handled; bytes before it may still be unread} */
    public boolean finArrived() {
        return finArrived;
    }

    /** {@return bytes that {@link #tryReceive} would find, not counting completions not yet handled} */
    public long readableBytes() {
        long read = copied;
        long readable = arrived - read;
        if (readable != 0 && urgent.isMarked()) {
            readable -= urgent.skipped(read, readable);
        }
        return readable + spilledBytes();
    }

    /** {@return what FIONREAD reports over TCP: {@link #readableBytes} before an urgent byte} */
    public long availableBytes() {
        long read = copied;
        return spilledBytes() + urgent.available(read, arrived);
    }

    /** {@return the length of this end's hidden buffer; roughly right} */
    public int hiddenBytes() {
        return buffers.arriving.length;
    }

    /** {@return whether anything has arrived that the program has not read, urgent bytes included} */
    public boolean hasUnread() {
        return arrived != copied || spilledBytes() != 0;
    }

    long spilledBytes() {
        PendingReceives known = receives;
        return known == null ? 0 : known.spill().bytes();
    }
}
