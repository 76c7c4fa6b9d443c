package org.exsockets.verbs.disni.data;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.exsockets.memory.CheckedCopy;
import org.exsockets.observe.Log;
import org.exsockets.observe.VerbsCounts;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.SpinGate;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.exsockets.verbs.disni.WcDescriptor;
import org.exsockets.verbs.disni.memory.ConnectionMemory;
import org.exsockets.verbs.disni.memory.Registration;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a queue pair has given to the device, and where their payloads are meanwhile. Payloads are copied:
 * those of SENDs into the slot of their sequence number, those of writes into a ring, from where the device reads them;
 * so every request may be reused when its post returns. Small writes go inline, and leave the ring's room free. Writes
 * from registered memory of the program are not copied; each asks for a completion, and keeps the caller's payload
 * until then. The farewell asks for one, too. Of the others only every {@link #signalEvery}-th, or one for each
 * quarter of the ring, does, which frees all before it.
 *
 * <p>Requests are numbered by {@link #sequence}. Slots, and what is kept about a request, are indexed by the number
 * modulo the depth of the send queue; an index is not used again before {@link #freed} has passed its request. {@link
 * #sequence} and what is kept per request are written under {@link #posting}; harvesters read the latter for requests
 * that have completed, which happens after they were posted. {@link #freed}, {@link #writesFreed} and {@link
 * #registeredFreed} are written by harvesters, one at a time, and read by threads that post: a stale value shows too
 * little room. {@link DisniQueuePair} reads what is not private here, too.
 */
final class SendQueue implements DisniCompletionQueue.Sends {
    private static final int SIGNALS_PER_RING = 4;
    private static final long NOT_POSTED = -1;

    /** Names of {@link Verbs#OPCODE_RDMA_WRITE} and so on, for logs. */
    private static final String[] OPCODES = {"RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "SEND"};

    /** Bound of one write from registered memory: every adapter takes this length, and several are under way. */
    static final int MAX_REGISTERED_WRITE = 1 << 20;

    /** What is staged is copied before the device reads any of it: beyond this, that costs more than a further request. */
    private static final int MAX_STAGED = 16 << 10;

    private final long qp;
    private final Bell bell;
    private final QueuePairOwner owner;
    private final ConnectionMemory memory;
    private final ByteBuffer bytes;
    private final int inlineLimit;
    private final int depth;
    private final int mask;
    private final int writeDepth;
    private final int signalEvery;
    private final int mostStaged;
    final VerbsCounts counts;
    final DisniCompletionQueue completions;
    final SendRing ring;

    /** The queue pair is in the error state, for good: nothing is posted any more. */
    volatile boolean error;

    /**
     * Bytes at {@link #stagedAt} of the {@link #ring}, beyond its head, that the next write posts with its own; they begin
     * at {@link #stagedAddress} of the peer. The writer's, as the head of the ring is.
     */
    private int staged;

    private int stagedAt;
    private long stagedAddress;
    private int stagedKey;

    /** Writes posted; written under {@link #posting}, by one writer at a time. */
    volatile long writes;

    /** Writes whose slots are free again. */
    private volatile long writesFreed;

    /** Serialises posts: held for one call of the device. */
    private final SpinGate posting = new SpinGate();

    private volatile long sequence;
    private long ringSignalled;
    private final long[] ringEnds;
    private final long[] writesUpTo;

    private final byte[] opcodes;

    /** Writes from registered memory up to and including a request. */
    private final long[] registeredUpTo;

    /** Writes from registered memory that were posted; written under {@link #posting}. */
    volatile long registered;

    /** Writes from registered memory whose payload the device does not read any more. */
    volatile long registeredFreed;

    private volatile long farewell = NOT_POSTED;

    /** The peer's last word; written before {@link #peerReason}, by a harvester. */
    long peerLastWord;

    volatile DisconnectReason peerReason = DisconnectReason.NONE;

    /** Set by the device's thread while it waits for all receives to be flushed. */
    volatile boolean draining;

    private volatile long freed;

    /*
     * Atomics and full fences of one small write, from the call of the program on: the write lock, taken and given back
     * (2), the message credit with the credits that it carries (1), posting (1). Stores with release are enough for the
     * sequence and for writes: the next thread to post has acquired the gate, the room that another one sees meanwhile is
     * bounded by message credits and by the write lock, and PeerProbe's device thread finds writes behind starvedAt, which
     * a writer stores after them; with older ones it asks once too often.
     */
    private static final AtomicLongFieldUpdater<SendQueue> SEQUENCE =
            AtomicLongFieldUpdater.newUpdater(SendQueue.class, "sequence");
    private static final AtomicLongFieldUpdater<SendQueue> WRITES =
            AtomicLongFieldUpdater.newUpdater(SendQueue.class, "writes");

    SendQueue(ConnectionResources resources, Bell bell, QueuePairOwner owner) throws VerbsException {
        this.qp = resources.qpHandle();
        this.bell = bell;
        this.owner = owner;
        this.memory = resources.memory();
        this.bytes = memory.whole();
        this.inlineLimit = Verbs.inlineLimit(qp);
        this.depth = memory.sendDepth();
        this.mask = depth - 1;
        this.writeDepth = memory.sizes().writeDepth();
        this.signalEvery = memory.sizes().signalEvery();
        this.ring = new SendRing(memory.ringBytes());
        this.mostStaged = Math.min(MAX_STAGED, ring.lengthBytes / 8);
        this.ringEnds = new long[depth];
        this.writesUpTo = new long[depth];
        this.registeredUpTo = new long[depth];
        this.opcodes = new byte[depth];
        this.counts = resources.counts();
        this.completions = new DisniCompletionQueue(resources.cqHandle(), qp, memory, counts, bell, this);
    }

    /** {@return as {@link QueuePair#send}} */
    int send(ByteBuffer payload, int offset, int length, boolean solicited) {
        checkLength(length, ConnectionMemory.MESSAGE_BYTES);
        if (error) {
            return QueuePair.IN_ERROR;
        }
        return length < 0
                ? refuse(Status.REM_ACCESS_ERR, "")
                : send(Verbs.OPCODE_SEND, solicited, payload, offset, length, 0, 0);
    }

    private static void checkLength(int length, int limit) {
        if (length > limit) {
            throw new IllegalArgumentException("post_send: payload too long: length=" + length + ", limit=" + limit);
        }
    }

    /** Posts an empty write of this device's own. */
    void probe(long address, int key) {
        send(Verbs.OPCODE_RDMA_WRITE, false, ByteBuffer.allocate(0), 0, 0, address, key);
    }

    private int send(int opcode, boolean solicited, ByteBuffer payload, int offset, int length, long address, int key) {
        if (!hasSlot(depth - 1)) {
            return QueuePair.QUEUE_FULL;
        }
        posting.enter();
        try {
            return error ? QueuePair.IN_ERROR : postFromSlot(opcode, solicited, payload, offset, length, address, key);
        } finally {
            posting.exit();
        }
    }

    private int postFromSlot(
            int opcode, boolean solicited, ByteBuffer payload, int offset, int length, long address, int key) {
        int slot = memory.sendSlotOffset((int) sequence & mask);
        bytes.put(slot, payload, offset, length);
        long from = memory.addressOf(slot);
        return post(opcode, solicited, from, length, null, address, key, 0, ring.head(), writes);
    }

    /**
     * Posts a write.
     *
     * @param lease the device reads the payload in the program's memory, and the caller keeps this until the completion;
     *     null: it is copied
     * @return as {@link QueuePair#write}
     */
    int write(
            int opcode,
            boolean solicited,
            ByteBuffer payload,
            int offset,
            int length,
            long address,
            int key,
            int immediate,
            @Nullable ProgramMemory lease) {
        checkLength(length, lease == null ? ring.lengthBytes / 2 - staged : MAX_REGISTERED_WRITE);
        if (error) {
            return QueuePair.IN_ERROR;
        }
        if (length < 0) {
            return refuse(Status.REM_ACCESS_ERR, "");
        }
        Registration source = lease == null ? null : registration(lease, payload, offset, length);
        // A part of the queue is for writes, the rest for SENDs, whose number the upper layer limits.
        int before = source == null ? staged : 0;
        int at = source == null ? append(payload, offset, length) : 0;
        if (at < 0 || !hasWriteSlot()) {
            return QueuePair.QUEUE_FULL;
        }
        long from;
        long end = ring.head();
        if (source == null) {
            staged = 0;
            from = memory.addressOf(memory.ringOffset() + at);
            end = before + length <= inlineLimit ? end : ring.end(at, before + length);
        } else {
            from = source.remoteAddress(payload, offset);
        }
        posting.enter();
        try {
            int posted = error
                    ? QueuePair.IN_ERROR
                    : post(
                            opcode,
                            solicited,
                            from,
                            before + length,
                            source,
                            before == 0 ? address : stagedAddress,
                            key,
                            immediate,
                            end,
                            writes + 1);
            if (posted == QueuePair.POSTED) {
                ring.advance(end);
            }
            return posted;
        } finally {
            posting.exit();
        }
    }

    /** {@return as {@link QueuePair#stage}; a further write must have a slot, in case these bytes take one alone} */
    boolean stage(ByteBuffer payload, int offset, int length, long address, int key) {
        if (error || staged + length > mostStaged || writes - writesFreed + 1 >= writeDepth) {
            return false;
        }
        if (append(payload, offset, length) < 0) {
            return false;
        }
        stagedAddress = staged == 0 ? address : stagedAddress;
        stagedKey = key;
        staged += length;
        return true;
    }

    /** {@return as {@link QueuePair#postStaged}} */
    int postStaged() {
        return staged == 0
                ? QueuePair.POSTED
                : write(Verbs.OPCODE_RDMA_WRITE, false, bytes, 0, 0, stagedAddress + staged, stagedKey, 0, null);
    }

    int stagedBytes() {
        return staged;
    }

    /** Copies a payload behind what is staged. {@return where both lie in the ring; −1: there is no room} */
    private int append(ByteBuffer payload, int offset, int length) {
        int at = place(staged + length);
        if (at >= 0) {
            int to = memory.ringOffset() + at;
            if (staged != 0 && at != stagedAt) {
                bytes.put(to, bytes, memory.ringOffset() + stagedAt, staged); // Both do not fit before the ring's end.
            }
            stagedAt = at;
            CheckedCopy.copy(bytes, to + staged, payload, offset, length);
        }
        return at;
    }

    private int place(int length) {
        int at = ring.place(length);
        if (at < 0) {
            completions.harvest();
            at = ring.place(length);
        }
        return at;
    }

    private static Registration registration(ProgramMemory lease, ByteBuffer payload, int offset, int length) {
        if (!(lease instanceof Registration registration)) {
            throw new IllegalArgumentException("post_send: the payload is not registered here: " + lease);
        }
        long from = registration.remoteAddress(payload, offset);
        if (!registration.covers(from, length)) {
            throw new IllegalArgumentException("post_send: not all of the payload is registered: address=0x"
                    + Long.toHexString(from) + ", length=" + length + ", registered: " + registration);
        }
        return registration;
    }

    private boolean hasSlot(int limit) {
        if (sequence - freed < limit) {
            return true;
        }
        completions.harvest();
        return sequence - freed < limit;
    }

    /** Only writes take these slots: a free one that a writer has seen stays free. */
    boolean hasWriteSlot() {
        if (writes - writesFreed < writeDepth) {
            return true;
        }
        completions.harvest();
        return writes - writesFreed < writeDepth;
    }

    /** Posts, under {@link #posting}, what lies at {@code from}: in {@code source}, or in this queue's memory if null. */
    private int post(
            int opcode,
            boolean solicited,
            long from,
            int length,
            @Nullable Registration source,
            long address,
            int key,
            int immediate,
            long ringEnd,
            long writesThen) {
        int localKey = source == null ? memory.localKey() : source.localKey();
        long registeredThen = source == null ? registered : registered + 1;
        long number = sequence;
        int index = (int) number & mask;
        ringEnds[index] = ringEnd;
        writesUpTo[index] = writesThen;
        registeredUpTo[index] = registeredThen;
        opcodes[index] = (byte) opcode;
        boolean signalled = number == farewell
                || registeredThen != registered
                || (number + 1) % signalEvery == 0
                || ringEnd - ringSignalled >= ring.lengthBytes / SIGNALS_PER_RING;
        int flags = flags(signalled, solicited, length, inlineLimit);
        int errno;
        try {
            errno = Verbs.postSend(qp, opcode, flags, number, from, length, localKey, address, key, immediate);
        } catch (VerbsException e) {
            enterError("post_send", e);
            return QueuePair.IN_ERROR;
        }
        if (errno != 0) {
            return notPosted(errno);
        }
        counts.posted(opcode, (flags & Verbs.FLAG_INLINE) != 0, signalled);
        if (signalled) {
            ringSignalled = ringEnd;
        }
        WRITES.lazySet(this, writesThen);
        if (registeredThen != registered) {
            registered = registeredThen;
        }
        SEQUENCE.lazySet(this, number + 1);
        return QueuePair.POSTED;
    }

    static int flags(boolean signalled, boolean solicited, int length, int inlineLimit) {
        return (signalled ? Verbs.FLAG_SIGNALED : 0)
                | (solicited ? Verbs.FLAG_SOLICITED : 0)
                // Drivers differ on whether a queue pair that takes nothing inline takes no bytes so.
                | (length > 0 && length <= inlineLimit ? Verbs.FLAG_INLINE : 0);
    }

    private int notPosted(int errno) {
        if (errno == VerbsException.ENOMEM) {
            return QueuePair.QUEUE_FULL;
        }
        return refuse(Status.FATAL_ERR, " of post_send: errno=" + errno);
    }

    /** The request fails without having been posted. */
    private int refuse(Status status, String detail) {
        completions.failure.set(status, detail);
        enterError();
        return QueuePair.POSTED;
    }

    /** Posts it, in the error state, too. {@return whether {@link QueuePairOwner#farewellCompleted} will be called} */
    boolean postFarewell(ByteBuffer words) {
        // One slot is always left for it.
        hasSlot(depth);
        posting.enter();
        try {
            farewell = sequence;
            return sequence - freed < depth
                    && postFromSlot(Verbs.OPCODE_SEND, true, words, 0, words.capacity(), 0, 0) == QueuePair.POSTED
                    && sequence > farewell;
        } finally {
            posting.exit();
        }
    }

    @Override
    public void completed(long number, int status, int at) {
        int index = (int) number & mask;
        if (status != WcDescriptor.SUCCESS) {
            lost();
        }
        if (number == farewell) {
            owner.farewellCompleted();
        } else if (status != WcDescriptor.SUCCESS && status != WcDescriptor.WR_FLUSH_ERR) {
            completions.fail(at, OPCODES[opcodes[index]]);
        }
        ring.free(ringEnds[index]);
        registeredFreed = registeredUpTo[index];
        writesFreed = writesUpTo[index];
        freed = number + 1;
    }

    @Override
    public void enterError() {
        error = true;
    }

    @Override
    public void enterError(String call, VerbsException cause) {
        if (!error) {
            Log.debug(call + " failed: " + cause.getMessage() + ", " + owner);
        }
        lost();
    }

    @Override
    public void lost() {
        if (!draining) {
            error = true;
            bell.hangUp();
        }
    }

    @Override
    public void farewellArrived(ByteBuffer bytes, int at) {
        ByteBuffer words = bytes.slice(at, FarewellDescriptor.LENGTH); // Big-endian.
        peerLastWord = words.getLong(FarewellDescriptor.LAST_WORD_OFFSET);
        peerReason = DisconnectReason.of(words.getInt(FarewellDescriptor.REASON_OFFSET));
    }
}
