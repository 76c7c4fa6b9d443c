package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.exsockets.stream.direct.Advert;
import org.exsockets.stream.direct.AdvertQueue;
import org.exsockets.stream.link.Link;
import org.exsockets.verbs.DirectAccess;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.MessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The direction of a stream that this end sends.
 *
 * <p>While the peer has advertised memory, bytes go there; otherwise to its hidden buffer, without waiting for an
 * ADVERT. A direct transfer is one RDMA_WRITE_WITH_IMM. It needs a message credit before it begins. Without one the
 * bytes go indirectly: plain RDMA_WRITEs can place them, and one PLACED message announces them together later.
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
final class Outgoing implements Flusher.Sender {
    private static final long NO_MARK = -1;

    private final Link link;
    private final Flusher flusher;

    /** Null: the peer cannot advertise anything. */
    final @Nullable AdvertQueue adverts;

    // Writer.

    /** Whether ADVERTs are used now, if there are any. */
    boolean goesStraight = true;

    /** Bytes written into the peer's hidden buffer. */
    volatile long placed;

    /** Bytes written into memory of the peer's program. */
    volatile long direct;

    /** Placed bytes not yet in {@link #unannounced}, because more follow at once; only the writer sees them. */
    int held;

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

    /** As {@link #PLACED}, for {@link #direct}. */
    private static final AtomicLongFieldUpdater<Outgoing> DIRECT =
            AtomicLongFieldUpdater.newUpdater(Outgoing.class, "direct");

    Outgoing(Link link, Flusher flusher, boolean useAdverts) {
        this.link = link;
        this.flusher = flusher;
        DirectAccess access = link.endpoint.direct();
        this.adverts = access == null ? null : new AdvertQueue(link, access, useAdverts);
        this.buffers = new PeerBuffers(link);
    }

    // Writer.

    /** @see StreamEngine#trySend(ByteBuffer, ProgramMemory, boolean) */
    int trySend(ByteBuffer source, @Nullable ProgramMemory registration, boolean more) {
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
                if (queue != null && queue.isWaiting() && goesStraight && isApart(remaining - taken, more, to)) {
                    int length = sendDirect(queue, source, position + taken, remaining - taken, registration);
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
                boolean last = taken + length == remaining;
                boolean hold = length < atOnce && (last ? more : offset + length == to.length);
                if (length <= 0
                        || !transfer(
                                source, position + taken, length, to, offset, registration, hold, length == room)) {
                    waited |= room == 0;
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

    /** {@return whether the known room is less than both {@code lengthBytes} and one transfer} */
    boolean mayLackRoom(long lengthBytes) {
        PeerBuffer to = buffers.sending;
        return to.granted - placed < Math.min(lengthBytes, to.maxTransfer);
    }

    /** Announces the held bytes: no more follow at once. */
    void announceHeld() {
        if (held == 0) {
            return;
        }
        if (waited) {
            waited = false;
            waitedBefore = true;
        }
        unannounced.addAndGet(held);
        held = 0;
        flusher.flush();
    }

    private int room(@Nullable ProgramMemory registration) {
        return registration == null ? link.queuePair.sendRoom() : link.queuePair.registeredRoom();
    }

    /** @see StreamEngine#trySendUrgent */
    int trySendUrgent(ByteBuffer source) {
        PeerBuffer to = buffers.sending;
        if (buffers.isOffered()) {
            to = trySwitch(to);
        }
        if (to.granted <= placed || link.queuePair.sendRoom() <= 0) {
            link.queuePair.awaitPeer();
            return 0;
        }
        // Not directly: the mark is a position among the buffered bytes.
        unannouncedMark.set(placed);
        flusher.flush();
        boolean before = goesStraight;
        goesStraight = false;
        try {
            return trySend(source, null, false);
        } finally {
            goesStraight = before;
        }
    }

    /** {@return bytes that went into the memory of an ADVERT; 0: they are to go indirectly} */
    private int sendDirect(
            AdvertQueue queue, ByteBuffer source, int offset, int remaining, @Nullable ProgramMemory registration) {
        int room = room(registration);
        Advert advert = room <= 0 ? null : queue.begin(placed + direct);
        if (advert == null) {
            return 0;
        }
        int length = (int) Math.min(Math.min(remaining, room), advert.left());
        if (!mayAnnounce() || !tryBegin(queue, advert)) {
            queue.end(advert, 0);
            flushAnswers(queue);
            return 0;
        }
        DIRECT.lazySet(this, direct + length);
        int credits = link.credits.takeOwed(ImmediateDescriptor.MAX_CREDITS);
        int immediate = ImmediateDescriptor.encode(ImmediateDescriptor.DIRECT, credits, advert.id);
        long address = advert.address + advert.used;
        boolean posted;
        boolean read = false;
        try {
            posted = link.isPosted(link.queuePair.writeWithImmediate(
                    source, offset, length, address, advert.rkey, registration, immediate, false));
            read = true;
        } finally {
            queue.leave();
            if (!read) {
                DIRECT.lazySet(this, direct - length);
                link.credits.untake();
                link.credits.oweAgain(credits);
                queue.end(advert, 0);
            }
        }
        queue.end(advert, length);
        flushAnswers(queue);
        return posted ? length : 0;
    }

    /** Sends the answers that the poller left to the writer because the ADVERT was in use. */
    private void flushAnswers(AdvertQueue queue) {
        if (queue.owesAnswer()) {
            flusher.flush();
        }
    }

    /**
     * Takes a credit and enters the window. A closed window counts as a missing ADVERT: its CANCEL is on the way. Until
     * that has come, bytes go indirectly, and none to the ADVERTs behind it.
     */
    private boolean tryBegin(AdvertQueue queue, Advert advert) {
        if (!link.credits.tryTake()) {
            return false;
        }
        if (queue.tryEnter(advert)) {
            return true;
        }
        link.credits.untake();
        return false;
    }

    /** {@return whether the next bytes can be announced together with their write} */
    private boolean mayAnnounce() {
        return held == 0
                && unannounced.getPlain() == 0
                && unannouncedMark.getAcquire() == NO_MARK
                && (adverts == null || link.rules.mayAnnounce(adverts.owesAnswer()));
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
        // There was room, and only the writer takes it. So if this post is refused, the connection is lost.
        boolean announce = !hold && mayAnnounce() && link.credits.tryTake();
        int credits = announce ? link.credits.takeOwed(ImmediateDescriptor.MAX_CREDITS) : 0;
        PLACED.lazySet(this, placed + length);
        boolean posted;
        boolean read = false;
        try {
            if (announce) {
                int immediate = ImmediateDescriptor.encode(
                        ImmediateDescriptor.INDIRECT,
                        credits,
                        waited ? to.generation | ImmediateDescriptor.WAITED : to.generation);
                posted = link.isPosted(link.queuePair.writeWithImmediate(
                        source, sourceOffset, length, to.address + offset, to.key, registration, immediate, fills));
            } else {
                posted = link.isPosted(
                        link.queuePair.write(source, sourceOffset, length, to.address + offset, to.key, registration));
            }
            read = true;
        } finally {
            if (!read) {
                PLACED.lazySet(this, placed - length);
                if (announce) {
                    link.credits.untake();
                    link.credits.oweAgain(credits);
                }
            }
        }
        if (announce) {
            waited = false;
            return posted;
        }
        if (!posted) {
            return false;
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

    void finish() {
        finRequested = true;
        if (adverts != null) {
            adverts.finish();
        }
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

    boolean owesUrgent() {
        return unannouncedMark.get() != NO_MARK;
    }

    /** {@return bytes of the stream this end has written, those of a transfer being posted included} */
    long writtenBytes() {
        return placed + direct;
    }

    /** {@return whether the peer has neither room for more nor a longer buffer on offer; any thread} */
    boolean lacksRoom() {
        return buffers.lackRoom(placed);
    }

    /** {@return buffered bytes that {@link #trySend} would take} Bytes for ADVERTs come on top. */
    long writableBytes() {
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
