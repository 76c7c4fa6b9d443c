package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.exsockets.stream.direct.AdvertQueue;
import org.exsockets.stream.link.Link;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.MessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The direction of a stream that this end sends.
 *
 * <p>While the peer has advertised memory, bytes go there; otherwise, and without a message credit, to its hidden buffer,
 * without waiting for an ADVERT.
 *
 * <p>The bytes of one call are announced together, up to the length of one transfer, because a reader over TCP finds
 * them together. Pieces before the last one, of several buffers or on both sides of the ring's end, are placed and
 * <em>held</em>. Held bytes never wait: if the writer finds no room, or has no more bytes, they are announced. While
 * bytes are held, nothing goes directly, and the writer stays with its buffer.
 *
 * <p>Reading the program's memory may fail: a foreign arena may have been closed, or a mapped file truncated. A device
 * reads all of it before it publishes anything. So if a post throws, the peer knows of nothing. The counters and
 * credits of this transfer are taken back, and the stream goes on behind the previous one.
 */
public final class Outgoing implements Flusher.Sender {
    private static final long NO_MARK = -1;

    /** Enough for a writer to notice before they have run out. */
    private static final int FEW_CREDITS = 4;

    private final Link link;
    private final Flusher flusher;

    /** What goes to memory that the peer has advertised. */
    public final DirectSends direct;

    private final @Nullable AdvertQueue adverts;

    // Writer.

    /** Bytes written into the peer's hidden buffer. */
    volatile long placed;

    /** Placed bytes not yet in {@link #unannounced}, because more follow at once; only the writer sees them. */
    int held;

    /** Those of {@link #held} that the device keeps for the next write; all of them, or none. */
    private int staged;

    /** Bytes placed but not announced; the writer adds, the flusher takes all. */
    private final AtomicLong unannounced = new AtomicLong();

    /**
     * Position among the buffered bytes of an urgent byte that the peer must know of before it arrives, or {@link
     * #NO_MARK}. The writer sets it before it places the byte; the flusher clears it after it has posted the URGENT. A
     * thread that announces bytes reads this last. So either the byte is not among them, or the thread finds the mark,
     * or the URGENT is posted. As in TCP a later mark replaces one that could not be sent.
     */
    private final AtomicLong unannouncedMark = new AtomicLong(NO_MARK);

    /** The peer's hidden buffers. */
    final PeerBuffers buffers;

    /** Whether the writer has found no room and has not told the peer yet. */
    private boolean waited;

    /**
     * As {@link #waited}, for the next PLACED. The writer sets it before it adds to {@link #unannounced}; the flusher
     * that takes those bytes clears it. It is a hint: if a flusher clears it just as the writer sets it again, it is
     * lost until the writer waits again.
     */
    private volatile boolean waitedBefore;

    volatile boolean finRequested;

    /** Written by the flusher. */
    volatile boolean finSent;

    /** Stores {@link #placed} with release. Unlike a VarHandle, {@code lazySet} is cheap before it is compiled. */
    private static final AtomicLongFieldUpdater<Outgoing> PLACED =
            AtomicLongFieldUpdater.newUpdater(Outgoing.class, "placed");

    Outgoing(Link link, Flusher flusher, boolean useAdverts) {
        this.link = link;
        this.flusher = flusher;
        this.direct = new DirectSends(link, flusher, useAdverts);
        this.adverts = direct.adverts;
        this.buffers = new PeerBuffers(link);
    }

    // Writer.

    /**
     * Writer: moves as many bytes of {@code source} as the peer has room for, to advertised memory or to the peer's
     * hidden buffer, and advances the position of {@code source}. Without room it tries again, once what has come is
     * handled, and once there is a reserve.
     *
     * @param registration covers what remains of {@code source} ({@link DirectAccess#leaseToSend}): the device may read
     *     the taken bytes after the return, and they must not change until {@link QueuePair#unfinishedWrites} has fallen
     *     to 0; null: no later reads
     * @param more further bytes follow at once. If all bytes of this call are taken, they may be held and announced
     *     with those. {@link #announceHeld} must follow before the caller does anything else
     * @param urgent the one byte of {@code source} is urgent data
     * @return bytes taken; 0 if there is no room now, or the stream has failed
     * @throws RuntimeException if {@code source} cannot be read; if some bytes were taken before, the next call throws it
     */
    public int send(ByteBuffer source, @Nullable ProgramMemory registration, boolean more, boolean urgent) {
        int length = source.remaining();
        try {
            int sent = trySend(source, registration, more, urgent);
            if (sent < length && link.listener.onNoRoom()) {
                sent += trySend(source, registration, more, urgent);
            }
            if (sent < length && takeReserve()) {
                sent += trySend(source, registration, more, urgent);
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

    /** Writer: tries to send all bytes that there are, none of them urgent. */
    public int trySend(ByteBuffer source) {
        return trySend(source, null, false, false);
    }

    /** Writer: as {@link #send}, but tries once, and throws at once. */
    int trySend(ByteBuffer source, @Nullable ProgramMemory registration, boolean more, boolean urgent) {
        PeerBuffer to = buffers.sending;
        if (buffers.isOffered() && held == 0) {
            to = trySwitch(to);
        }
        AdvertQueue queue = adverts;
        int position = source.position();
        int remaining = source.limit() - position;
        int taken = 0;
        try {
            while (taken < remaining) {
                if (queue != null
                        && queue.isWaiting()
                        && direct.used
                        && !urgent
                        && isApart(remaining - taken, more, to)) {
                    int most = Math.min(remaining - taken, room(registration));
                    int length = most <= 0
                            ? 0
                            : direct.trySend(placed, isAnnounced(), source, position + taken, most, registration);
                    if (length > 0) {
                        taken += length;
                        continue;
                    }
                }
                long at = placed;
                long room = to.granted - at;
                int offset = to.offset(at);
                int atOnce = (int) Math.min(Math.min(to.maxTransfer - held, room(registration)), room);
                int length = Math.min(Math.min(remaining - taken, atOnce), to.length - offset);
                if (urgent && length > 0) {
                    // Not directly: the mark is a position among the buffered bytes.
                    unannouncedMark.set(at);
                    flusher.flush();
                }
                boolean last = taken + length == remaining;
                boolean hold = length < atOnce && (last ? more : offset + length == to.length);
                if (length <= 0
                        || !transfer(
                                source, position + taken, length, to, offset, registration, hold, length == room)) {
                    waited |= room == 0 && !urgent;
                    break;
                }
                taken += length;
            }
        } finally {
            if (taken > 0) {
                source.position(position + taken);
            }
            if (taken < remaining) {
                announceHeld();
            }
        }
        if (taken < remaining) {
            link.queuePair.awaitPeer();
        }
        return taken;
    }

    /** {@return whether the next bytes may go to an ADVERT: bytes announced together must go the same way} */
    private boolean isApart(int remaining, boolean more, PeerBuffer to) {
        return held == 0 && (!more || remaining >= to.maxTransfer);
    }

    /** {@return whether the known room at the peer is less than both {@code lengthBytes} and one transfer; writer} */
    public boolean mayLackRoom(long lengthBytes) {
        PeerBuffer to = buffers.sending;
        return to.granted - placed < Math.min(lengthBytes, to.maxTransfer);
    }

    /** {@return whether bytes are held, so that the next ones go with them to the peer's hidden buffer; writer} */
    public boolean holds() {
        return held != 0;
    }

    /** Writer: announces the held bytes, if any: no more follow at once. */
    public void announceHeld() {
        if (held == 0) {
            return;
        }
        if (waited) {
            waited = false;
            waitedBefore = true;
        }
        postStaged();
        unannounced.addAndGet(held);
        held = 0;
        flusher.flush();
    }

    private void postStaged() {
        if (staged != 0) {
            staged = 0;
            int answer = link.queuePair.postStaged();
            if (answer != QueuePair.POSTED) {
                link.onRefused(answer);
            }
        }
    }

    private int room(@Nullable ProgramMemory registration) {
        return registration == null ? link.queuePair.sendRoom() : link.queuePair.registeredRoom();
    }

    /** {@return whether the next bytes can be announced together with their write} */
    private boolean mayAnnounce() {
        // Most streams owe no answer, and need not ask the rules.
        return isAnnounced() && (adverts == null || !adverts.owesAnswer() || link.rules.mayAnnounce(true));
    }

    /** {@return whether the peer is told of everything before the next write, and what is staged for that} */
    private boolean isAnnounced() {
        return held == staged && unannounced.getPlain() == 0 && unannouncedMark.getAcquire() == NO_MARK;
    }

    private boolean transfer(
            ByteBuffer source,
            int sourceOffset,
            int length,
            PeerBuffer to,
            int offset,
            @Nullable ProgramMemory registration,
            boolean hold,
            boolean fills) {
        if (adverts != null && adverts.isDirect()) {
            adverts.goIndirect();
        }
        if (registration != null) {
            postStaged();
        } else if (hold
                && held == staged
                && offset + length < to.length
                && link.queuePair.stage(source, sourceOffset, length, to.address + offset, to.key)) {
            PLACED.lazySet(this, placed + length);
            held += length;
            staged = held;
            return true;
        }
        // There was room, and only the writer takes it. So if this post is refused, the connection is lost.
        int credits = !hold && mayAnnounce() ? link.credits.takeWithOwed(ImmediateDescriptor.MAX_CREDITS) : -1;
        boolean announce = credits >= 0;
        PLACED.lazySet(this, placed + length);
        int answer;
        boolean read = false;
        try {
            if (announce) {
                int immediate = ImmediateDescriptor.encode(
                        ImmediateDescriptor.INDIRECT,
                        credits,
                        waited ? to.generation | ImmediateDescriptor.WAITED : to.generation);
                answer = link.queuePair.writeWithImmediate(
                        source, sourceOffset, length, to.address + offset, to.key, registration, immediate, fills);
            } else {
                answer = link.queuePair.write(source, sourceOffset, length, to.address + offset, to.key, registration);
            }
            read = true;
        } finally {
            if (!read) {
                PLACED.lazySet(this, placed - length);
                if (announce) {
                    link.credits.untake(credits);
                }
            }
        }
        staged = 0;
        if (announce) {
            waited = false;
            held = 0;
        }
        if (answer != QueuePair.POSTED) {
            link.onRefused(answer);
            return false;
        }
        if (announce) {
            return true;
        }
        held += length;
        if (!hold) {
            announceHeld();
        }
        return true;
    }

    /**
     * Switches to the offered buffer if no other thread flushes and there is a message credit; until then the old
     * buffer is as good.
     *
     * <p>While this thread has the flusher's role, no other is between taking {@link #unannounced} and posting it; only
     * the writer adds to it. So if it is zero, all bytes placed in the old buffer are announced before the SWITCHED.
     *
     * @return where to write
     */
    private PeerBuffer trySwitch(PeerBuffer from) {
        flusher.flush();
        if (!flusher.tryEnter()) {
            return from;
        }
        try {
            if (unannounced.get() != 0 || !link.credits.tryTake()) {
                return from;
            }
            // Before the message: when the peer's answer comes, this end must have switched.
            PeerBuffer to = buffers.switchAt(placed);
            flusher.send(MessageDescriptor.SWITCHED, to.generation, placed);
            return to;
        } finally {
            flusher.leave();
        }
    }

    /** Writer: no bytes follow; the peer gets a FIN behind the last byte as soon as a credit allows. Idempotent. */
    public void finish() {
        finRequested = true;
        if (adverts != null) {
            adverts.finish();
        }
        flusher.flush();
    }

    /**
     * Writer: if there is no room, makes the next {@link #trySend} switch to a reserve, if there is one. May take a
     * millisecond. {@return whether it will switch; then sending is to be tried again}
     */
    boolean takeReserve() {
        return buffers.takeReserve(placed);
    }

    // Flush.

    @Override
    public boolean owesOutput() {
        return unannounced.get() != 0
                || finRequested && !finSent
                || unannouncedMark.get() != NO_MARK
                || adverts != null && adverts.owesAnswer();
    }

    @Override
    public boolean flushBytes() {
        // Before any announcement of bytes: they may be for the receives behind the cancelled one.
        if (adverts != null && adverts.owesAnswer()) {
            boolean sent = flusher.send(MessageDescriptor.CANCELLED, adverts.nextAnswer(), 0);
            adverts.answered();
            return sent;
        }
        long announcement = unannounced.getAndSet(0);
        long mark = unannouncedMark.get();
        if (mark != NO_MARK) {
            unannounced.addAndGet(announcement);
            boolean sent = flusher.send(MessageDescriptor.URGENT, 0, mark);
            unannouncedMark.compareAndSet(mark, NO_MARK);
            return sent;
        }
        if (announcement != 0) {
            boolean hint = waitedBefore;
            if (hint) {
                waitedBefore = false;
            }
            // The writer cannot switch to another buffer while this thread flushes.
            return flusher.sendPlaced(buffers.sending.generation, announcement, hint, lacksRoom());
        }
        return false;
    }

    @Override
    public boolean flushFin() {
        if (!finRequested || finSent) {
            return false;
        }
        boolean sent = flusher.send(MessageDescriptor.FIN, 0, writtenBytes());
        // Not before: a thread that sees it may disconnect at once, and the FIN would be refused.
        finSent = true;
        return sent;
    }

    // Any thread.

    /** {@return whether message credits have run out, or are about to, as far as is known} */
    public boolean hasFewCredits() {
        return link.credits.fewerThan(FEW_CREDITS);
    }

    /** {@return whether message credits have run out, as far as is known} */
    public boolean lacksCredits() {
        return !link.credits.available();
    }

    /** {@return the length of the peer's hidden buffer; roughly right} */
    public int hiddenBytes() {
        return buffers.sending.length;
    }

    /** {@return bytes in the peer's hidden buffer that it may not have read yet; roughly right} */
    public long unacknowledgedBytes() {
        return buffers.unacknowledgedBytes(placed);
    }

    /**
     * The program has chosen how much is to be sent ahead (SO_SNDBUF). Twice as much of reserves not taken
     * yet is used, as the kernel doubles it, but at least the initial length of the hidden buffer.
     *
     * @param chosenBytes &gt; 0
     */
    public void limitAhead(int chosenBytes) {
        buffers.limitAhead(chosenBytes);
    }

    /** {@return whether the writer has called {@link #finish}} */
    public boolean finished() {
        return finRequested;
    }

    /** {@return whether this end's FIN has been sent} */
    public boolean finSent() {
        return finSent;
    }

    /** {@return whether the peer has not been told yet which byte is urgent} */
    public boolean owesUrgent() {
        return unannouncedMark.get() != NO_MARK;
    }

    /**
     * {@return bytes of the stream this end has written, those of a transfer being posted included; final once the writer has
     * called {@link #finish}}
     */
    public long writtenBytes() {
        return placed + direct.sent;
    }

    /** {@return whether the peer has neither room for more nor a longer buffer on offer; any thread} */
    boolean lacksRoom() {
        return buffers.lackRoom(placed);
    }

    /** {@return whether there is room by now for a writer that found none, as the peer reads slowly; any thread} */
    public boolean hasSlowReader() {
        return buffers.hasSlowReader(placed);
    }

    /** {@return buffered bytes that {@link #trySend} would take} Bytes for ADVERTs come on top. */
    public long writableBytes() {
        while (true) {
            PeerBuffer to = buffers.sending;
            long written = placed;
            long room = to.granted - written;
            if (room <= 0) {
                room = link.credits.available() ? buffers.nextBytes(to) : 0;
                if (room == 0 && buffers.sending != to) {
                    continue; // The writer has switched between the two reads.
                }
            }
            return Math.min(room, link.queuePair.sendRoom());
        }
    }
}
