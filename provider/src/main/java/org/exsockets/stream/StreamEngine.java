package org.exsockets.stream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.Endpoint;
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
 * could not be sent for lack of credits (PLACED, ACK, CREDIT, FIN) is sent by {@link #flush()}, which any thread may
 * call; {@link #owesOutput()} tells whether something waits.
 *
 * <p>Counters are cumulative over the life of the stream and never decrease, so each has a single writer:
 *
 * <table><caption>Counters</caption>
 * <tr><th>counter</th><th>written by</th><th>meaning</th></tr>
 * <tr><td>placed</td><td>writer</td><td>bytes written into the peer's hidden buffer</td></tr>
 * <tr><td>granted</td><td>poller</td><td>bytes the peer has ever had room for</td></tr>
 * <tr><td>arrived</td><td>poller</td><td>bytes announced by the peer</td></tr>
 * <tr><td>copied</td><td>reader</td><td>bytes handed to the program</td></tr>
 * <tr><td>acknowledged</td><td>flush</td><td>bytes of those that the peer knows of</td></tr>
 * </table>
 *
 * Each is stored with release after the work it stands for and loaded with acquire by the other roles. Announcements
 * commute: a message announces a number of bytes, not a place, and every byte it can make readable was placed before it
 * was posted.
 */
public final class StreamEngine {
    /** Newest and oldest version of this protocol that is spoken. */
    public static final int VERSION = 1;

    /** {@link #tryReceive}: the peer has finished and everything was read. */
    public static final int END_OF_STREAM = -1;

    /** Large transfers are cut, so that the reader copies the first part out while the next is copied in. */
    static final int MAX_TRANSFER = 64 * 1024;

    private static final int GENERATION = 0;

    private final QueuePair queuePair;
    private final CompletionQueue completions;
    private final ByteBuffer hidden;
    private final int hiddenLength;
    private final int hiddenMask;
    private final int acknowledgeThreshold;
    private final long remoteAddress;
    private final int remoteKey;
    private final int remoteLength;
    private final int maxTransfer;
    private final MessageCredits credits;

    // Writer.
    private final WorkRequest data = new WorkRequest();
    private long placed;
    /** Bytes placed but not announced; the writer adds, {@link #flush()} takes all. */
    private final AtomicLong unannounced = new AtomicLong();

    private volatile boolean finRequested;

    // Poller.
    private final WorkCompletion completion = new WorkCompletion();
    private final ByteBuffer receives;
    private long granted;
    private long arrived;
    private volatile boolean finArrived;
    private volatile String failure;

    // Reader.
    private long copied;

    // Flush: one thread at a time, others leave the work to it. What they ask for while it is at work makes it look
    // once
    // more: it may have found no credit just before they got one.
    private final AtomicInteger flushRequests = new AtomicInteger();
    private final WorkRequest control = new WorkRequest();
    private final ByteBuffer message = MessageDescriptor.allocate(1);
    private long acknowledged;
    private volatile boolean finSent;

    private static final VarHandle PLACED;
    private static final VarHandle GRANTED;
    private static final VarHandle ARRIVED;
    private static final VarHandle COPIED;
    private static final VarHandle ACKNOWLEDGED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PLACED = lookup.findVarHandle(StreamEngine.class, "placed", long.class);
            GRANTED = lookup.findVarHandle(StreamEngine.class, "granted", long.class);
            ARRIVED = lookup.findVarHandle(StreamEngine.class, "arrived", long.class);
            COPIED = lookup.findVarHandle(StreamEngine.class, "copied", long.class);
            ACKNOWLEDGED = lookup.findVarHandle(StreamEngine.class, "acknowledged", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Takes over an endpoint nobody has posted to yet. */
    public StreamEngine(Endpoint endpoint) {
        this.queuePair = endpoint.queuePair();
        this.completions = queuePair.completionQueue();
        this.hidden = endpoint.exposed();
        this.hiddenLength = hidden.capacity();
        this.hiddenMask = hiddenLength - 1;
        this.acknowledgeThreshold = Math.max(1, hiddenLength / 4);
        this.remoteAddress = endpoint.remoteAddress();
        this.remoteKey = endpoint.remoteKey();
        this.remoteLength = endpoint.remoteLength();
        this.maxTransfer = Math.max(1, Math.min(MAX_TRANSFER, remoteLength / 4));
        this.granted = remoteLength;
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
        int position = source.position();
        int remaining = source.limit() - position;
        int taken = 0;
        while (taken < remaining) {
            long at = placed;
            long room = (long) GRANTED.getAcquire(this) - at;
            int offset = (int) (at & (remoteLength - 1));
            int limit = Math.min(Math.min(maxTransfer, queuePair.sendRoom()), remoteLength - offset);
            int length = (int) Math.min(Math.min(remaining - taken, room), limit);
            if (length <= 0 || !transfer(source, position + taken, length, offset)) {
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

    private boolean transfer(ByteBuffer source, int sourceOffset, int length, int offset) {
        // The room was asked for, and only the writer takes it: a post that is refused is the end of the connection.
        boolean announce = unannounced.getPlain() == 0 && credits.tryTake();
        PLACED.setRelease(this, placed + length);
        if (announce) {
            int immediate = ImmediateDescriptor.encode(
                    ImmediateDescriptor.INDIRECT, credits.takeOwed(ImmediateDescriptor.MAX_CREDITS), 0);
            return post(data.writeWithImmediate(
                    source, sourceOffset, length, remoteAddress + offset, remoteKey, immediate));
        }
        if (!post(data.write(source, sourceOffset, length, remoteAddress + offset, remoteKey))) {
            return false;
        }
        unannounced.addAndGet(length);
        flush();
        return true;
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
        if (readable == 0) {
            return last ? END_OF_STREAM : 0;
        }
        int position = target.position();
        int length = (int) Math.min(readable, target.limit() - position);
        int offset = (int) (copied & hiddenMask);
        int first = Math.min(length, hiddenLength - offset);
        target.put(position, hidden, offset, first);
        if (first < length) {
            target.put(position + first, hidden, 0, length - first);
        }
        target.position(position + length);
        return consumed(length);
    }

    private int consumed(int length) {
        COPIED.setRelease(this, copied + length);
        if (acknowledgeDue()) {
            flush();
        }
        return length;
    }

    private boolean acknowledgeDue() {
        return (long) COPIED.getAcquire(this) - (long) ACKNOWLEDGED.getAcquire(this) >= acknowledgeThreshold;
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
        if (ImmediateDescriptor.kind(immediate) == ImmediateDescriptor.INDIRECT) {
            onBytes(length);
        } else {
            violation("immediate of unknown kind", immediate);
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
            case MessageDescriptor.PLACED -> onBytes(id == GENERATION ? position : -1);
            case MessageDescriptor.FIN -> onFin(position);
            default -> violation("message of unknown type", MessageDescriptor.type(receives, offset));
        }
    }

    private void onCredits(int returned) {
        if (!credits.onReturned(returned)) {
            violation("more message credits returned than there are", returned);
        }
    }

    private void onBytes(long length) {
        long inBuffer = arrived - (long) ACKNOWLEDGED.getAcquire(this);
        if (finArrived || length <= 0 || length > hiddenLength - inBuffer) {
            violation("bytes beyond the hidden buffer or the end of the stream", length);
            return;
        }
        ARRIVED.setRelease(this, arrived + length);
    }

    private void onAcknowledged(int generation, long freed) {
        long outstanding = (long) PLACED.getAcquire(this) - (granted - remoteLength);
        if (generation != GENERATION || freed <= 0 || freed > outstanding) {
            violation("more bytes acknowledged than were sent", freed);
            return;
        }
        GRANTED.setRelease(this, granted + freed);
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
            onBytes(position - arrived);
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
        return unannounced.get() != 0 || finRequested && !finSent || acknowledgeDue() || credits.creditDue();
    }

    /**
     * Sends what is due as far as message credits allow. Any thread; a thread that finds another at it leaves it to that
     * one.
     */
    public void flush() {
        if (!owesOutput() || flushRequests.getAndIncrement() != 0) {
            return;
        }
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
        if (announcement != 0) {
            return sendControl(MessageDescriptor.PLACED, GENERATION, announcement);
        }
        long freed = (long) COPIED.getAcquire(this) - acknowledged;
        if (freed >= acknowledgeThreshold) {
            ACKNOWLEDGED.setRelease(this, acknowledged + freed);
            return sendControl(MessageDescriptor.ACK, GENERATION, freed);
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
        return (long) ARRIVED.getAcquire(this) - read;
    }

    /** {@return bytes that {@link #trySend} would take; any thread} */
    public long writableBytes() {
        long written = (long) PLACED.getAcquire(this);
        return Math.min((long) GRANTED.getAcquire(this) - written, queuePair.sendRoom());
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
