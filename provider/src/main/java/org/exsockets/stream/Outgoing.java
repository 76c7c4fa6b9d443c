package org.exsockets.stream;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.RemoteRegion;
import org.exsockets.verbs.WorkRequest;
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
 *
 * <table><caption>Counters</caption>
 * <tr><th>counter</th><th>written by</th><th>meaning</th></tr>
 * <tr><td>placed</td><td>writer</td><td>bytes written into the peer's hidden buffer</td></tr>
 * <tr><td>direct</td><td>writer</td><td>bytes written into memory of the peer's program</td></tr>
 * <tr><td>granted</td><td>poller</td><td>of each {@link PeerBuffer}: bytes the peer has ever had room for</td></tr>
 * </table>
 */
final class Outgoing {
    private static final long NO_MARK = -1;

    /** Enough for a writer to notice before they have run out. */
    private static final int FEW_CREDITS = 4;

    private final Link link;
    private final Flusher flusher;
    private final AdvertQueue adverts;
    private final boolean useAdverts;

    // Writer.

    /** Whether ADVERTs are used now, unless {@link #useAdverts} says that they never are. */
    private boolean goesStraight = true;

    private final WorkRequest data = new WorkRequest();
    private volatile long placed;
    private volatile long direct;

    /** Placed bytes not yet in {@link #unannounced}, because more follow at once; only the writer sees them. */
    private int held;

    /** Bytes placed but not announced; the writer adds, the flusher takes all. */
    private final AtomicLong unannounced = new AtomicLong();

    /**
     * Position among the buffered bytes of an urgent byte that the peer must know of before it arrives, or {@link
     * #NO_MARK}. The writer sets it before it places the byte; the flusher clears it after it has posted the URGENT. A
     * thread that announces bytes reads this last. So either the byte is not among them, or the thread finds the mark,
     * or the URGENT is posted. As in TCP a later mark replaces one that could not be sent.
     */
    private final AtomicLong unannouncedMark = new AtomicLong(NO_MARK);

    /** The buffer that bytes go to. The writer sets it before it tells the peer; others read it. */
    private volatile PeerBuffer sending;

    /** Whether the writer has found no room and has not told the peer yet. */
    private boolean waited;

    /**
     * As {@link #waited}, for the next PLACED. The writer sets it before it adds to {@link #unannounced}; the flusher
     * that takes those bytes clears it. It is a hint: if a flusher clears it just as the writer sets it again, it is
     * lost until the writer waits again.
     */
    private volatile boolean waitedBefore;

    /**
     * The buffer that the writer switches to as soon as it can; switching clears this. Set by the poller when the peer
     * announces it, or by the writer for the reserve: an endpoint has one of both.
     */
    private volatile @Nullable PeerBuffer offered;

    /** Most bytes of the reserve that are used; any thread writes it. */
    private volatile int mostAhead = EndpointParameters.MAX_EXPOSED_BYTES;

    private volatile boolean finRequested;

    /** Written by the flusher. */
    private volatile boolean finSent;

    // Poller.

    /** Newest generation the peer has announced. */
    private int announcedByPeer;

    /** ADVERTs so far, also stale ones. Counted by the poller. */
    private volatile int advertsSeen;

    /** Stores {@link #placed} with release. Unlike a VarHandle, {@code lazySet} is cheap before it is compiled. */
    private static final AtomicLongFieldUpdater<Outgoing> PLACED =
            AtomicLongFieldUpdater.newUpdater(Outgoing.class, "placed");

    /** As {@link #PLACED}, for {@link #direct}. */
    private static final AtomicLongFieldUpdater<Outgoing> DIRECT =
            AtomicLongFieldUpdater.newUpdater(Outgoing.class, "direct");

    Outgoing(Link link, Flusher flusher, boolean useAdverts) {
        this.link = link;
        this.flusher = flusher;
        this.useAdverts = useAdverts;
        this.adverts = new AdvertQueue(link.rules, link.listener);
        this.sending =
                new PeerBuffer(link.endpoint.remoteAddress(), link.endpoint.remoteKey(), link.endpoint.remoteLength());
    }

    // Writer.

    /** @see StreamEngine#useAdverts */
    void useAdverts(boolean use) {
        goesStraight = use;
    }

    /** @see StreamEngine#trySend(ByteBuffer, ProgramMemory, boolean) */
    int trySend(ByteBuffer source, @Nullable ProgramMemory registration, boolean more) {
        PeerBuffer to = sending;
        if (offered != null && held == 0) {
            to = trySwitch(to);
        }
        int position = source.position();
        int remaining = source.limit() - position;
        int taken = 0;
        try {
            while (taken < remaining) {
                if (adverts.isWaiting() && goesStraight && isApart(remaining - taken, more, to)) {
                    int length = sendDirect(source, position + taken, remaining - taken, registration);
                    if (length > 0) {
                        taken += length;
                        continue;
                    }
                }
                long at = placed;
                long room = to.granted() - at;
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
        PeerBuffer to = sending;
        return to.granted() - placed < Math.min(lengthBytes, to.maxTransfer);
    }

    /** @see StreamEngine#hasFewCredits */
    boolean hasFewCredits() {
        return link.credits.fewerThan(FEW_CREDITS);
    }

    /** @see StreamEngine#trim */
    void trim() {
        PeerBuffer in = sending;
        int free = (int) (in.granted() - placed);
        int offset = in.offset(placed);
        int first = Math.min(free, in.length - offset);
        link.endpoint.letGoOfPeer(in.key, offset, first);
        link.endpoint.letGoOfPeer(in.key, 0, free - first);
    }

    /** @see StreamEngine#takeReserve */
    boolean takeReserve() {
        PeerBuffer from = sending;
        int wanted = Math.min(reserve(from), Math.max(from.length, mostAhead));
        if (offered != null || from.granted() > placed || wanted == 0) {
            return false;
        }
        RemoteRegion reserve = link.endpoint.takeReserve(wanted);
        if (reserve == null) {
            link.listener.onGrowthRefused(wanted);
            return false;
        }
        offered = new PeerBuffer(from, reserve.address(), reserve.key(), reserve.lengthBytes());
        return true;
    }

    /** {@return whether bytes are held} */
    boolean holds() {
        return held != 0;
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
        PeerBuffer to = sending;
        if (offered != null) {
            to = trySwitch(to);
        }
        if (to.granted() <= placed || link.queuePair.sendRoom() <= 0) {
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
    private int sendDirect(ByteBuffer source, int offset, int remaining, @Nullable ProgramMemory registration) {
        int room = room(registration);
        if (room <= 0) {
            return 0;
        }
        Advert advert = adverts.begin(placed + direct);
        if (advert == null) {
            return 0;
        }
        int length = (int) Math.min(Math.min(remaining, room), advert.left());
        if (!mayAnnounce() || !tryBegin(advert)) {
            adverts.end(advert, 0);
            flushAnswers();
            return 0;
        }
        DIRECT.lazySet(this, direct + length);
        int credits = link.credits.takeOwed(ImmediateDescriptor.MAX_CREDITS);
        int immediate = ImmediateDescriptor.encode(ImmediateDescriptor.DIRECT, credits, advert.id);
        data.writeWithImmediate(source, offset, length, advert.address + advert.used, advert.rkey, immediate);
        boolean posted;
        boolean read = false;
        try {
            posted = post(registration);
            read = true;
        } finally {
            link.endpoint.leaveWindow();
            if (!read) {
                DIRECT.lazySet(this, direct - length);
                link.credits.untake();
                link.credits.oweAgain(credits);
                adverts.end(advert, 0);
            }
        }
        adverts.end(advert, length);
        flushAnswers();
        return posted ? length : 0;
    }

    /** Sends the answers that the poller left to the writer because the ADVERT was in use. */
    private void flushAnswers() {
        if (adverts.owesAnswer()) {
            flusher.flush();
        }
    }

    /**
     * Takes a credit and enters the window. A closed window counts as a missing ADVERT: its CANCEL is on the way. Until
     * that has come, bytes go indirectly, and none to the ADVERTs behind it.
     */
    private boolean tryBegin(Advert advert) {
        if (!link.credits.tryTake()) {
            return false;
        }
        if (link.endpoint.tryEnterWindow(advert.address) || !link.rules.heedsWindows()) {
            return true;
        }
        link.credits.untake();
        return false;
    }

    private boolean post(@Nullable ProgramMemory registration) {
        if (registration != null) {
            data.memory = registration;
            data.inline = false;
        }
        return link.post(data);
    }

    /** {@return whether the next bytes can be announced together with their write} */
    private boolean mayAnnounce() {
        return held == 0
                && unannounced.getPlain() == 0
                && unannouncedMark.getAcquire() == NO_MARK
                && link.rules.mayAnnounce(adverts.owesAnswer());
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
        if (adverts.isDirect()) {
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
                data.writeWithImmediate(source, sourceOffset, length, to.address + offset, to.key, immediate);
                data.solicited = fills;
            } else {
                data.write(source, sourceOffset, length, to.address + offset, to.key);
            }
            posted = post(registration);
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
    @SuppressWarnings("NullAway") // Called while a buffer is offered; only this thread takes it.
    private PeerBuffer trySwitch(PeerBuffer from) {
        flusher.flush();
        if (!flusher.tryEnter()) {
            return from;
        }
        try {
            if (unannounced.get() != 0 || !link.credits.tryTake()) {
                return from;
            }
            PeerBuffer to = offered;
            from.endAt(placed);
            to.beginAt(placed);
            // Before the message: when the peer's answer comes, this end must have switched.
            offered = null;
            link.endpoint.leave(from.key);
            sending = to;
            flusher.send(MessageDescriptor.SWITCHED, to.generation, placed);
            return to;
        } finally {
            flusher.leave();
        }
    }

    void finish() {
        finRequested = true;
        adverts.finish();
    }

    /** {@return bytes of the stream that went directly} */
    long directBytes() {
        return direct;
    }

    // Poller.

    /** The peer has advertised memory. */
    void onAdvert(ByteBuffer message, int offset) {
        int id = MessageDescriptor.id(message, offset);
        int phase = MessageDescriptor.phase(message, offset);
        long position = MessageDescriptor.position(message, offset);
        long length = MessageDescriptor.length(message, offset);
        long address = MessageDescriptor.address(message, offset);
        int rkey = MessageDescriptor.rkey(message, offset);
        long sent = writtenBytes();
        advertsSeen = advertsSeen + 1;
        String problem = adverts.problem(id, phase, position, length, sent);
        if (problem != null) {
            link.violation(problem, position);
        } else if (!useAdverts || finRequested || !adverts.wouldKeep(phase, position, sent)) {
            // Nor may a later one be used: if the bytes that made this one stale are taken back, it would seem good.
            adverts.refuse(phase);
            adverts.onStale();
        } else if (!link.endpoint.reaches(address, rkey, length)) {
            adverts.refuse(phase);
        } else {
            boolean waitsForAll = (MessageDescriptor.flags(message, offset) & MessageDescriptor.FLAG_WAIT_ALL) != 0;
            if (!adverts.add(id, phase, position, address, rkey, length, waitsForAll)) {
                link.violation("more ADVERTs than agreed, or one twice", id);
            }
        }
    }

    void onCancel(int id, int phase) {
        if (id < 0 || id >= link.rules.idLimit() || !adverts.cancel(id, phase)) {
            link.violation("CANCEL of an impossible id, or more of them than ADVERTs", id);
        }
    }

    void onAcknowledged(int generation, long freed) {
        PeerBuffer to = sending.acknowledged(generation, link.rules);
        if (to == null || !to.onAcknowledged(freed, placed)) {
            link.violation("more bytes acknowledged than were sent", freed);
        }
    }

    /** The peer has announced a longer buffer. */
    void onOffered(ByteBuffer message, int offset) {
        int generation = MessageDescriptor.id(message, offset);
        PeerBuffer now = sending;
        long length = MessageDescriptor.length(message, offset);
        if (announcedByPeer != now.generation || generation != now.generation + 1) {
            link.violation("hidden buffer announced out of turn", generation);
            return;
        }
        if (Long.bitCount(length) != 1 || length <= now.length || length > EndpointParameters.MAX_EXPOSED_BYTES) {
            link.violation("hidden buffer of impossible length announced", length);
            return;
        }
        announcedByPeer = generation;
        long address = MessageDescriptor.address(message, offset);
        int key = MessageDescriptor.rkey(message, offset);
        if (!finRequested && link.endpoint.reach(address, key, (int) length)) {
            offered = new PeerBuffer(now, address, key, (int) length);
        }
    }

    // Flush.

    /** {@return whether a message is due} */
    boolean owesOutput() {
        return unannounced.get() != 0 || finRequested && !finSent || owesUrgent() || adverts.owesAnswer();
    }

    /** Having taken a credit: posts what is due first. {@return whether there was anything, and it was posted} */
    boolean flushBytes() {
        // Before any announcement of bytes: they may be for the receives behind the cancelled one.
        if (adverts.owesAnswer()) {
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
            return flusher.sendPlaced(sending.generation, announcement, hint, lacksRoom());
        }
        return false;
    }

    /** Having taken a credit: posts the FIN if it is due. {@return whether it was posted} */
    boolean flushFin() {
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

    boolean hasAdverts() {
        return adverts.isWaiting();
    }

    int advertsSeen() {
        return advertsSeen;
    }

    /** {@return bytes written into the peer's hidden buffer; any thread} */
    long placedBytes() {
        return placed;
    }

    /** {@return buffered bytes that the peer has not acknowledged; roughly right} */
    long unacknowledgedBytes() {
        PeerBuffer to = sending;
        return to.length - (to.granted() - placed);
    }

    /** {@return bytes of the reserve that the writer can switch to by itself, or 0} */
    private int reserve(PeerBuffer from) {
        return from.generation == 0 ? link.endpoint.reserveBytes() : 0;
    }

    /** @see StreamEngine#limitAhead */
    void limitAhead(int chosenBytes) {
        int doubled = Math.min(EndpointParameters.MAX_EXPOSED_BYTES, 2 * Math.min(chosenBytes, 1 << 29));
        mostAhead = Integer.highestOneBit(Math.max(1, doubled * 2 - 1));
    }

    /** {@return whether the peer has neither room for more nor a longer buffer on offer; any thread} */
    boolean lacksRoom() {
        PeerBuffer to = sending;
        return offered == null && to.granted() <= placed;
    }

    /** {@return buffered bytes that {@link #trySend} would take} Bytes for ADVERTs come on top. */
    long writableBytes() {
        while (true) {
            PeerBuffer to = sending;
            long written = placed;
            long room = to.granted() - written;
            if (room <= 0) {
                PeerBuffer next = offered;
                int more = next != null ? next.length : reserve(to);
                room = more > 0 && link.credits.available() ? more : 0;
                if (room == 0 && sending != to) {
                    continue; // The writer has switched between the two reads.
                }
            }
            return Math.min(room, link.queuePair.sendRoom());
        }
    }

    boolean finished() {
        return finRequested;
    }

    boolean finSent() {
        return finSent;
    }
}
