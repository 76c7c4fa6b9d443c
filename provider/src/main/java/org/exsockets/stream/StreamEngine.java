package org.exsockets.stream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.MessageDescriptor;

/**
 * One end of an EXS stream, both directions, over an established endpoint.
 *
 * <p>Bytes go through the hidden buffer, a ring in the receiver's exposed memory. A transfer is one
 * RDMA_WRITE_WITH_IMM; when message credits have run out, bytes are placed by plain RDMA_WRITEs and announced together
 * by one PLACED message later, so that many small writes fill the hidden buffer as they fill TCP's. What is due but
 * could not be sent for lack of credits (URGENT, PLACED, ACK, CREDIT, FIN) is sent by {@link #flush()}, which any
 * thread may call; {@link #owesOutput()} tells whether something waits.
 *
 * <p>The hidden buffer starts small. When {@link GrowthPolicy} finds demand, the receiver exposes a longer one and
 * announces it (NEWBUF); the writer goes over to it between two transfers (SWITCHED); the reader empties the old one
 * first and then gives it back. {@link HiddenBuffer} and {@link PeerBuffer} are the two ends' views of one generation.
 *
 * <p>Counters are cumulative over the life of the stream and never decrease, so each has a single writer:
 *
 * <table><caption>Counters</caption>
 * <tr><th>counter</th><th>written by</th><th>meaning</th></tr>
 * <tr><td>placed</td><td>writer</td><td>bytes written into the peer's hidden buffer</td></tr>
 * <tr><td>granted</td><td>poller</td><td>bytes the peer has ever had room for, of each {@link PeerBuffer}</td></tr>
 * <tr><td>arrived</td><td>poller</td><td>bytes announced by the peer</td></tr>
 * <tr><td>copied</td><td>reader</td><td>bytes handed to the program</td></tr>
 * <tr><td>acknowledged</td><td>flush</td><td>bytes of those that the peer knows of</td></tr>
 * </table>
 *
 * Each is stored with release after the work it stands for and loaded with acquire by the other roles. Announcements
 * commute between two switches: a message announces a number of bytes, not a place, and every byte it can make readable
 * was placed before it was posted. A SWITCHED comes behind all announcements of the old buffer and before all of the new
 * one ({@link #trySwitch}).
 */
public final class StreamEngine {
    /** Newest and oldest version of this protocol that is spoken. */
    public static final int VERSION = 2;

    /** {@link #tryReceive}: the peer has finished and everything was read. */
    public static final int END_OF_STREAM = -1;

    private static final long NO_MARK = -1;

    private final Endpoint endpoint;
    private final QueuePair queuePair;
    private final CompletionQueue completions;
    private final MessageCredits credits;

    // Writer.
    private final WorkRequest data = new WorkRequest();
    private long placed;
    /** Bytes placed but not announced; the writer adds, {@link #flush()} takes all. */
    private final AtomicLong unannounced = new AtomicLong();

    /**
     * Position of an urgent byte of which the peer must hear before that byte arrives, or {@link #NO_MARK}. The writer
     * sets it before it places the byte, {@link #flush()} takes it away after it has posted the URGENT. So whoever
     * announces bytes and looks here last either has no such byte among them, or finds the mark, or the URGENT is
     * posted. As in TCP a later mark replaces one that could not be sent.
     */
    private final AtomicLong unannouncedMark = new AtomicLong(NO_MARK);

    /** Where bytes go. The writer sets it, before it tells the peer; others acquire it. */
    private PeerBuffer sending;

    /** Whether the writer has found no room, and not told the peer yet. */
    private boolean waited;

    /** Announced by the peer, not taken yet. The poller sets it, the writer takes it away. */
    private volatile PeerBuffer offered;

    private volatile boolean finRequested;

    // Poller.
    private final WorkCompletion completion = new WorkCompletion();
    private final ByteBuffer receives;
    private long arrived;
    private volatile boolean finArrived;
    private volatile String failure;

    /** Newest generation the peer has announced. */
    private int announcedByPeer;

    private final HiddenBuffers buffers;

    private final ReceivedUrgentData urgent = new ReceivedUrgentData();

    // Reader.
    private long copied;

    /** Where the next byte to read is, or at the end of which it would be. */
    private HiddenBuffer reading;

    // Flush: one thread at a time, others leave the work to it. What they ask for while it is at work makes it look
    // once
    // more: it may have found no credit just before they got one.
    private final AtomicInteger flushRequests = new AtomicInteger();
    private final WorkRequest control = new WorkRequest();
    private final ByteBuffer message = MessageDescriptor.allocate(1);
    private long acknowledged;

    /** What {@link #acknowledged} is in. Others read it for its threshold; a stale one costs a look too many. */
    private HiddenBuffer acknowledging;

    private volatile boolean finSent;

    private static final VarHandle PLACED;
    private static final VarHandle SENDING;
    private static final VarHandle ARRIVED;
    private static final VarHandle COPIED;
    private static final VarHandle ACKNOWLEDGED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PLACED = lookup.findVarHandle(StreamEngine.class, "placed", long.class);
            SENDING = lookup.findVarHandle(StreamEngine.class, "sending", PeerBuffer.class);
            ARRIVED = lookup.findVarHandle(StreamEngine.class, "arrived", long.class);
            COPIED = lookup.findVarHandle(StreamEngine.class, "copied", long.class);
            ACKNOWLEDGED = lookup.findVarHandle(StreamEngine.class, "acknowledged", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Takes over an endpoint nobody has posted to yet. */
    public StreamEngine(Endpoint endpoint) {
        this(endpoint, GrowthListener.NONE);
    }

    /** Takes over an endpoint nobody has posted to yet. */
    public StreamEngine(Endpoint endpoint, GrowthListener growthListener) {
        this.endpoint = endpoint;
        this.queuePair = endpoint.queuePair();
        this.completions = queuePair.completionQueue();
        this.buffers = new HiddenBuffers(endpoint, growthListener);
        this.reading = buffers.arriving();
        this.acknowledging = buffers.arriving();
        this.sending = new PeerBuffer(endpoint.remoteAddress(), endpoint.remoteKey(), endpoint.remoteLength());
        int depth = endpoint.receiveDepth();
        this.credits = new MessageCredits(depth);
        this.receives = MessageDescriptor.allocate(depth);
        for (int i = 0; i < depth; i++) {
            postReceive(i);
        }
    }

    private void postReceive(int index) {
        if (!queuePair.postReceive(index, receives, index * MessageDescriptor.LENGTH, MessageDescriptor.LENGTH)) {
            throw new IllegalStateException("stream: receive queue full: index=" + index);
        }
    }

    /**
     * Writer: moves as many bytes of {@code source} as the peer has room for, and advances its position.
     *
     * @return bytes taken; 0 if there is no room now, or the stream has failed
     */
    public int trySend(ByteBuffer source) {
        PeerBuffer to = sending;
        if (offered != null) {
            to = trySwitch(to);
        }
        int position = source.position();
        int remaining = source.limit() - position;
        int taken = 0;
        while (taken < remaining) {
            long at = placed;
            long room = to.granted() - at;
            int offset = to.offset(at);
            int limit = Math.min(Math.min(to.maxTransfer, queuePair.sendRoom()), to.length - offset);
            int length = (int) Math.min(Math.min(remaining - taken, room), limit);
            if (length <= 0 || !transfer(source, position + taken, length, to, offset)) {
                waited |= room == 0;
                break;
            }
            taken += length;
        }
        if (taken > 0) {
            source.position(position + taken);
        }
        if (taken < remaining) {
            queuePair.awaitPeer();
        }
        return taken;
    }

    /**
     * Writer: sends the one byte of {@code source} as urgent data, if the peer has room for it.
     *
     * @return bytes taken; 0 if there is no room now, or the stream has failed
     */
    public int trySendUrgent(ByteBuffer source) {
        PeerBuffer to = sending;
        if (offered != null) {
            to = trySwitch(to);
        }
        if (to.granted() <= placed || queuePair.sendRoom() <= 0) {
            queuePair.awaitPeer();
            return 0;
        }
        unannouncedMark.set(placed);
        flush();
        return trySend(source);
    }

    /** {@return whether the peer does not know yet which byte is urgent; any thread} */
    public boolean owesUrgent() {
        return unannouncedMark.get() != NO_MARK;
    }

    private boolean transfer(ByteBuffer source, int sourceOffset, int length, PeerBuffer to, int offset) {
        // The room was asked for, and only the writer takes it: a post that is refused is the end of the connection.
        boolean announce = unannounced.getPlain() == 0 && unannouncedMark.getAcquire() == NO_MARK && credits.tryTake();
        PLACED.setRelease(this, placed + length);
        if (announce) {
            int immediate = ImmediateDescriptor.encode(
                    ImmediateDescriptor.INDIRECT,
                    credits.takeOwed(ImmediateDescriptor.MAX_CREDITS),
                    waited ? to.generation | ImmediateDescriptor.WAITED : to.generation);
            waited = false;
            return post(data.writeWithImmediate(source, sourceOffset, length, to.address + offset, to.key, immediate));
        }
        if (!post(data.write(source, sourceOffset, length, to.address + offset, to.key))) {
            return false;
        }
        unannounced.addAndGet(length);
        flush();
        return true;
    }

    /**
     * Writer: goes over to the buffer the peer has announced, if nobody flushes just now and there is a message credit;
     * the old buffer is as good meanwhile.
     *
     * <p>In the role of the flusher, nobody else is between taking {@link #unannounced} and posting it; only the writer
     * adds to it. So if it is zero, everything placed in the old buffer has been announced before the SWITCHED.
     *
     * @return where to write
     */
    private PeerBuffer trySwitch(PeerBuffer from) {
        flush();
        if (!flushRequests.compareAndSet(0, 1)) {
            return from;
        }
        try {
            if (unannounced.get() != 0 || !credits.tryTake()) {
                return from;
            }
            PeerBuffer to = offered;
            from.endAt(placed);
            to.beginAt(placed);
            // Before the message: what the peer answers to it must find this end gone over.
            offered = null;
            endpoint.leave(from.key);
            SENDING.setRelease(this, to);
            sendControl(MessageDescriptor.SWITCHED, to.generation, placed);
            return to;
        } finally {
            leaveFlush();
        }
    }

    private boolean post(WorkRequest request) {
        int posted = queuePair.postSend(request);
        if (posted == QueuePair.QUEUE_FULL) {
            // Never silently: what was counted as sent would be missing at the peer.
            failure = "send queue full in spite of room for " + request.opcode;
        }
        return posted == QueuePair.POSTED;
    }

    /** Writer: nothing follows; the peer gets a FIN behind the last byte as soon as a credit allows. Idempotent. */
    public void finish() {
        finRequested = true;
        flush();
    }

    /**
     * Reader: copies what has arrived into {@code target}, up to its limit, and advances its position.
     *
     * @return bytes copied; 0 if there is nothing now or no space; {@link #END_OF_STREAM}
     */
    public int tryReceive(ByteBuffer target) {
        // Order matters: a FIN seen before the look at the counter means that the counter is final.
        boolean last = finArrived;
        long readable = (long) ARRIVED.getAcquire(this) - copied;
        if (readable != 0 && urgent.isMarked()) {
            readable = skipUrgent(readable);
        }
        if (readable == 0) {
            return last ? END_OF_STREAM : 0;
        }
        int position = target.position();
        int length = (int) Math.min(readable, target.limit() - position);
        HiddenBuffer from = reading;
        if (copied + length > from.end) {
            return receiveAcross(target, position, length);
        }
        copyOut(from, copied, target, position, length);
        target.position(position + length);
        return consumed(length);
    }

    private static void copyOut(HiddenBuffer from, long position, ByteBuffer target, int targetOffset, int length) {
        int offset = from.offset(position);
        int first = Math.min(length, from.length - offset);
        target.put(targetOffset, from.memory, offset, first);
        if (first < length) {
            target.put(targetOffset + first, from.memory, 0, length - first);
        }
    }

    /** Reader: as {@link #tryReceive} of bytes that have arrived, some of them in the next buffer. */
    private int receiveAcross(ByteBuffer target, int position, int length) {
        HiddenBuffer from = reading;
        int rest = (int) (from.end - copied);
        copyOut(from, copied, target, position, rest);
        HiddenBuffer next = from.next;
        copyOut(next, next.base, target, position + rest, length - rest);
        target.position(position + length);
        reading = next;
        from.release();
        return consumed(length);
    }

    /** Reader: passes over urgent bytes that are not for the program. {@return how many bytes one read may take now} */
    private long skipUrgent(long readable) {
        long skipped = urgent.skipped(copied, readable);
        if (skipped > 0) {
            HiddenBuffer from = reading;
            if (copied + skipped > from.end) {
                reading = from.next;
                from.release();
            }
            consumed((int) skipped);
        }
        return urgent.limit(copied, readable - skipped);
    }

    private int consumed(int length) {
        COPIED.setRelease(this, copied + length);
        if (acknowledgeDue()) {
            flush();
        }
        return length;
    }

    private boolean acknowledgeDue() {
        return (long) COPIED.getAcquire(this) - (long) ACKNOWLEDGED.getAcquire(this)
                >= acknowledging.acknowledgeThreshold;
    }

    /**
     * Poller: handles every completion that is there.
     *
     * @return whether there was any
     */
    public boolean progress() {
        boolean any = false;
        while (failure == null && completions.poll(completion)) {
            any = true;
            if (completion.status != Status.SUCCESS) {
                failure = "work completion: status=" + completion.status;
                return true;
            }
            handle();
        }
        if (any && owesOutput()) {
            flush();
        }
        if (buffers.growthDue() && failure == null) {
            tryGrow();
        }
        return any;
    }

    private void handle() {
        int index = (int) completion.wrId;
        switch (completion.opcode) {
            case RECV -> onMessage(index * MessageDescriptor.LENGTH, completion.byteLength);
            case RECV_RDMA_WITH_IMM -> onImmediate(completion.immediate, completion.byteLength);
            default -> {
                return;
            }
        }
        if (failure == null) {
            postReceive(index);
            credits.onReceiveReposted();
        }
    }

    private void onImmediate(int immediate, int length) {
        onCredits(ImmediateDescriptor.credits(immediate));
        if (ImmediateDescriptor.kind(immediate) != ImmediateDescriptor.INDIRECT) {
            violation("immediate of unknown kind", immediate);
            return;
        }
        int id = ImmediateDescriptor.id(immediate);
        onBytes(id & ImmediateDescriptor.GENERATION_MASK, length);
        if ((id & ImmediateDescriptor.WAITED) != 0) {
            buffers.onWait((long) COPIED.getAcquire(this));
        }
    }

    private void onMessage(int offset, int length) {
        if (length != MessageDescriptor.LENGTH) {
            violation("message of wrong length", length);
            return;
        }
        onCredits(MessageDescriptor.credits(receives, offset));
        int id = MessageDescriptor.id(receives, offset);
        long position = MessageDescriptor.position(receives, offset);
        switch (MessageDescriptor.type(receives, offset)) {
            case MessageDescriptor.CREDIT -> {}
            case MessageDescriptor.ACK -> onAcknowledged(id, position);
            case MessageDescriptor.PLACED -> onBytes(id, position);
            case MessageDescriptor.FIN -> onFin(position);
            case MessageDescriptor.NEWBUF -> onOffered(id, offset);
            case MessageDescriptor.SWITCHED -> onSwitched(id, position);
            case MessageDescriptor.URGENT -> onUrgent(position);
            default -> violation("message of unknown type", MessageDescriptor.type(receives, offset));
        }
    }

    private void onCredits(int returned) {
        if (!credits.onReturned(returned)) {
            violation("more message credits returned than there are", returned);
        }
    }

    private void onBytes(int generation, long length) {
        HiddenBuffer in = buffers.arriving();
        long free = in.length - (arrived - Math.max(in.base, (long) ACKNOWLEDGED.getAcquire(this)));
        if (generation != in.generation) {
            violation("bytes in a hidden buffer that is not the current one", generation);
        } else if (finArrived || length <= 0 || length > free) {
            violation("bytes beyond the hidden buffer or the end of the stream", length);
        } else {
            ARRIVED.setRelease(this, arrived + length);
        }
    }

    private void onAcknowledged(int generation, long freed) {
        PeerBuffer to = ((PeerBuffer) SENDING.getAcquire(this)).acknowledged(generation);
        if (to == null || !to.onAcknowledged(freed, writtenBytes())) {
            violation("more bytes acknowledged than were sent", freed);
        }
    }

    /** The peer has a longer buffer. */
    private void onOffered(int generation, int offset) {
        PeerBuffer now = (PeerBuffer) SENDING.getAcquire(this);
        long length = MessageDescriptor.length(receives, offset);
        if (announcedByPeer != now.generation || generation != now.generation + 1) {
            violation("hidden buffer announced out of turn", generation);
            return;
        }
        if (Long.bitCount(length) != 1 || length <= now.length || length > EndpointParameters.MAX_EXPOSED_BYTES) {
            violation("hidden buffer of impossible length announced", length);
            return;
        }
        announcedByPeer = generation;
        long address = MessageDescriptor.address(receives, offset);
        int key = MessageDescriptor.rkey(receives, offset);
        if (!finRequested && endpoint.reach(address, key, (int) length)) {
            offered = new PeerBuffer(now, address, key, (int) length);
        }
    }

    /** The peer has gone over to the longer buffer of this end. */
    private void onSwitched(int generation, long position) {
        if (finArrived || position != arrived || !buffers.onSwitched(generation, position)) {
            violation("switch to a hidden buffer that was not announced, or at the wrong position", position);
        }
    }

    /** Announces a longer hidden buffer; what does not work out now is tried again after the next arrival. */
    private void tryGrow() {
        if (finArrived) {
            buffers.stop();
        } else if (buffers.prepare((long) COPIED.getAcquire(this)) && flushRequests.compareAndSet(0, 1)) {
            try {
                if (credits.tryTake()) {
                    buffers.announce(message, credits.takeOwed(Short.MAX_VALUE));
                    post(control.send(message, 0, MessageDescriptor.LENGTH));
                }
            } finally {
                leaveFlush();
            }
        }
    }

    /** Poller: has the hidden buffer grow to {@code lengthBytes}, whatever the policy says, unless it is growing. */
    void grow(int lengthBytes) {
        buffers.want(lengthBytes);
        if (buffers.growthDue()) {
            tryGrow();
        }
    }

    private void onUrgent(long position) {
        // The byte may be the first in the next buffer, but no further: all before it are placed in this one.
        if (finArrived || position < arrived || position - arrived > buffers.arriving().length) {
            violation("urgent byte beyond the hidden buffer or the end of the stream", position);
            return;
        }
        urgent.onMark(position, arrived, (long) COPIED.getAcquire(this));
    }

    private void onFin(long position) {
        if (finArrived || position != arrived) {
            violation("end of the stream at the wrong position", position);
            return;
        }
        finArrived = true;
    }

    /**
     * Poller: the peer has disconnected in order, having written {@code position} bytes in all. What it could not
     * announce for lack of credits is in the hidden buffer all the same, and nothing follows.
     */
    public void onPeerClosed(long position) {
        if (failure != null || finArrived) {
            return;
        }
        if (position > arrived) {
            onBytes(buffers.arriving().generation, position - arrived);
        }
        onFin(position);
    }

    /** {@return bytes this end has written; final once the writer has called {@link #finish}} */
    public long writtenBytes() {
        return (long) PLACED.getAcquire(this);
    }

    private void violation(String what, long value) {
        failure = "protocol violation by the peer: " + what + ": value=" + value + ", arrived=" + arrived;
    }

    /** {@return whether a message is due that has not been sent yet; any thread} */
    public boolean owesOutput() {
        return unannounced.get() != 0
                || finRequested && !finSent
                || acknowledgeDue()
                || credits.creditDue()
                || owesUrgent();
    }

    /**
     * Sends what is due as far as message credits allow. Any thread; a thread that finds another at it leaves it to that
     * one.
     */
    public void flush() {
        if (!owesOutput() || flushRequests.getAndIncrement() != 0) {
            return;
        }
        leaveFlush();
    }

    /** Gives up the role of the flusher, having sent what is due and what others have asked for meanwhile. */
    private void leaveFlush() {
        int requests = 1;
        try {
            do {
                while (owesOutput() && flushOne()) {
                    // Until nothing is due or no credit is left.
                }
                requests = flushRequests.addAndGet(-requests);
            } while (requests != 0);
        } catch (Throwable e) {
            flushRequests.set(0);
            throw e;
        }
    }

    private boolean flushOne() {
        if (!credits.tryTake()) {
            return credits.creditDue() && credits.tryTakeLast() && sendControl(MessageDescriptor.CREDIT, 0, 0);
        }
        long announcement = unannounced.getAndSet(0);
        long mark = unannouncedMark.get();
        if (mark != NO_MARK) {
            unannounced.addAndGet(announcement);
            boolean sent = sendControl(MessageDescriptor.URGENT, 0, mark);
            unannouncedMark.compareAndSet(mark, NO_MARK);
            return sent;
        }
        if (announcement != 0) {
            // The writer cannot go over to another buffer while this thread flushes.
            return sendControl(
                    MessageDescriptor.PLACED, ((PeerBuffer) SENDING.getAcquire(this)).generation, announcement);
        }
        long read = (long) COPIED.getAcquire(this);
        while (read > acknowledging.end) {
            // What was read of a buffer that the peer has left is of no use to it.
            long left = acknowledging.end;
            acknowledging = acknowledging.next;
            ACKNOWLEDGED.setRelease(this, left);
        }
        long freed = read - acknowledged;
        if (freed >= acknowledging.acknowledgeThreshold) {
            ACKNOWLEDGED.setRelease(this, read);
            return sendControl(MessageDescriptor.ACK, acknowledging.generation, freed);
        }
        if (finRequested && !finSent) {
            boolean sent = sendControl(MessageDescriptor.FIN, 0, (long) PLACED.getAcquire(this));
            // Not before: who sees it may disconnect at once, and the FIN would be refused.
            finSent = true;
            return sent;
        }
        if (credits.creditDue()) {
            return sendControl(MessageDescriptor.CREDIT, 0, 0);
        }
        credits.untake();
        return false;
    }

    private boolean sendControl(int type, int id, long position) {
        int returned = credits.takeOwed(Short.MAX_VALUE);
        MessageDescriptor.encode(message, 0, type, returned, id, position);
        return post(control.send(message, 0, MessageDescriptor.LENGTH));
    }

    /** {@return bytes that {@link #tryReceive} would find, not counting completions not yet handled; any thread} */
    public long readableBytes() {
        long read = (long) COPIED.getAcquire(this);
        long readable = (long) ARRIVED.getAcquire(this) - read;
        return readable != 0 && urgent.isMarked() ? readable - urgent.skipped(read, readable) : readable;
    }

    /** {@return what FIONREAD tells of TCP: {@link #readableBytes}, but only those before an urgent byte; any thread} */
    public long availableBytes() {
        long read = (long) COPIED.getAcquire(this);
        return urgent.available(read, (long) ARRIVED.getAcquire(this));
    }

    /** {@return whether anything has arrived that the program has not read, be it an urgent byte; any thread} */
    public boolean hasUnread() {
        return (long) ARRIVED.getAcquire(this) != (long) COPIED.getAcquire(this);
    }

    /** {@return whether urgent data has been announced that may not have been read yet; any thread} */
    public boolean hasMark() {
        return urgent.isMarked();
    }

    /** {@return whether a read that has got bytes must end here, just before an urgent one; reader} */
    public boolean atUrgent() {
        return urgent.isAt(copied);
    }

    /** Whether urgent bytes stay in the stream, or reads pass over them (SO_OOBINLINE). Any thread. */
    public void setUrgentInline(boolean inline) {
        urgent.setInline(inline);
    }

    /** {@return bytes that {@link #trySend} would take; any thread} */
    public long writableBytes() {
        while (true) {
            PeerBuffer to = (PeerBuffer) SENDING.getAcquire(this);
            long written = (long) PLACED.getAcquire(this);
            long room = to.granted() - written;
            if (room <= 0) {
                PeerBuffer next = offered;
                room = next != null && credits.available() ? next.length : 0;
                if (room == 0 && SENDING.getAcquire(this) != to) {
                    continue; // The writer has gone over between the looks.
                }
            }
            return Math.min(room, queuePair.sendRoom());
        }
    }

    /** {@return bytes of the hidden buffer that arriving bytes go to; the poller's, roughly right for others} */
    int hiddenBytes() {
        return buffers.arriving().length;
    }

    /** {@return whether the peer's FIN has been handled; bytes before it may still be unread; any thread} */
    public boolean finArrived() {
        return finArrived;
    }

    /** {@return whether the writer has called {@link #finish}; any thread} */
    public boolean finished() {
        return finRequested;
    }

    /** {@return whether this end's FIN has been sent; any thread} */
    public boolean finSent() {
        return finSent;
    }

    /** {@return why the stream cannot go on, or null; any thread} */
    public String failure() {
        return failure;
    }
}
