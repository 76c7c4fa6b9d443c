package org.exsockets.verbs.disni;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.observe.Log;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.SpinGate;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;

/**
 * A queue pair of an RDMA adapter. Payloads are copied: those of SENDs into the slot of their sequence number, those of
 * writes into a ring, from where the device reads them; so every request may be reused when its post returns. Small ones
 * go inline and need no room. Only every {@link #signalEvery}-th request, or one for each quarter of the ring, asks for a
 * completion, which frees all before it.
 *
 * <p>Requests are numbered by {@link #sequence}; slots, {@link #ringEnds} and what is kept about a request are indexed by
 * the number modulo the depth of the send queue, and a number is not used again before {@link #freed} has passed it.
 * {@link #sequence} and what is kept per request are written under {@link #posting}; harvesters read the latter for
 * requests that have completed, which happens after they were posted. {@link #freed} and {@link #ringFreed} are written
 * by harvesters, one at a time, and read by those who post: a stale value shows too little room.
 */
final class DisniQueuePair implements QueuePair {
    private static final int SIGNALS_PER_QUEUE = 8;
    private static final int SIGNALS_PER_RING = 4;
    private static final int SMALL_ROOM_DIVISOR = 8;
    private static final long NOT_POSTED = -1;

    private final long qp;
    private final DisniEndpoint endpoint;
    private final ConnectionMemory memory;
    private final ByteBuffer bytes;
    private final DisniCompletionQueue completions;
    private final int inlineLimit;
    private final int depth;
    private final int mask;
    private final int signalEvery;
    private final int ringBytes;

    private volatile boolean error;

    /** Whether a completion has told the cause of the error state; a flushed request tells nothing. */
    private final AtomicBoolean causeTold = new AtomicBoolean();

    /** Serialises writes from the copy of the payload to the post. Guards {@link #ringHead}. */
    private final SpinGate writing = new SpinGate();

    /** Bytes of the ring ever used, those skipped at its end included. Written under {@link #writing}. */
    private volatile long ringHead;

    /** Writes posted; written under {@link #posting}, by one writer at a time. */
    private volatile long writes;

    /** Writes whose slots are free again. */
    private volatile long writesFreed;

    /** {@link #writes} when the upper layer last found no room. */
    private volatile long starvedAt;

    /** Whether the device's thread has been asked to {@link #probe}; a lost update costs asking twice. */
    private volatile boolean starving;

    /** Serialises posts: held for one call of the device. */
    private final SpinGate posting = new SpinGate();

    private volatile long sequence;
    private long ringSignalled;
    private final long[] ringEnds;
    private final long[] writesUpTo;
    private final long[] userIds;
    private final Opcode[] opcodes;
    private final boolean[] userSignalled;

    /** Number of the farewell. */
    private volatile long farewell = NOT_POSTED;

    private volatile long freed;
    private volatile long ringFreed;

    DisniQueuePair(long qp, long cq, int inlineLimit, ConnectionMemory memory, DisniEndpoint endpoint) {
        this.qp = qp;
        this.endpoint = endpoint;
        this.memory = memory;
        this.bytes = memory.whole();
        this.inlineLimit = inlineLimit;
        this.depth = memory.sendDepth();
        this.mask = depth - 1;
        this.signalEvery = depth / SIGNALS_PER_QUEUE;
        this.ringBytes = memory.ringBytes();
        this.ringEnds = new long[depth];
        this.writesUpTo = new long[depth];
        this.userIds = new long[depth];
        this.opcodes = new Opcode[depth];
        this.userSignalled = new boolean[depth];
        this.completions = new DisniCompletionQueue(cq, qp, memory, this);
    }

    @Override
    public int postSend(WorkRequest request) {
        if (request.opcode == Opcode.RECV || request.opcode == Opcode.RECV_RDMA_WITH_IMM) {
            throw new IllegalArgumentException("post_send: not a request: " + request.opcode);
        }
        int limit = request.opcode == Opcode.SEND ? ConnectionMemory.SLOT_BYTES : ringBytes / 2;
        if (request.lengthBytes > limit) {
            throw new IllegalArgumentException(
                    "post_send: payload too long: length=" + request.lengthBytes + ", limit=" + limit);
        }
        if (error) {
            return IN_ERROR;
        }
        if (request.lengthBytes < 0) {
            return refuse(request, Status.REM_ACCESS_ERR);
        }
        return request.opcode == Opcode.SEND ? send(request) : write(request);
    }

    private int send(WorkRequest request) {
        if (!hasSlot(depth - 1)) {
            return QUEUE_FULL;
        }
        posting.enter();
        try {
            return error ? IN_ERROR : postFromSlot(request, writes);
        } finally {
            posting.exit();
        }
    }

    private int postFromSlot(WorkRequest request, long writesNow) {
        int slot = memory.sendSlotOffset((int) sequence & mask);
        bytes.put(slot, request.source, request.sourceOffset, request.lengthBytes);
        return post(request, slot, ringHead, writesNow);
    }

    private int write(WorkRequest request) {
        int length = request.lengthBytes;
        boolean inline = length <= inlineLimit;
        writing.enter();
        try {
            // Half of the queue is for writes, the other for SENDs, whose number the upper layer limits.
            if (!hasWriteSlot()) {
                return QUEUE_FULL;
            }
            int at = place(length);
            if (at < 0) {
                completions.harvest();
                at = place(length);
                if (at < 0) {
                    return QUEUE_FULL;
                }
            }
            bytes.put(memory.ringOffset() + at, request.source, request.sourceOffset, length);
            long end = inline ? ringHead : end(at, length);
            posting.enter();
            try {
                int posted = error ? IN_ERROR : post(request, memory.ringOffset() + at, end, writes + 1);
                if (posted == POSTED) {
                    ringHead = end;
                }
                return posted;
            } finally {
                posting.exit();
            }
        } finally {
            writing.exit();
        }
    }

    /** {@return where in the ring {@code length} contiguous bytes are free; −1 if nowhere} */
    private int place(int length) {
        int at = (int) ringHead & ringBytes - 1;
        int free = ringBytes - (int) (ringHead - ringFreed);
        int toEnd = ringBytes - at;
        if (length <= Math.min(free, toEnd)) {
            return at;
        }
        return length <= free - toEnd ? 0 : -1;
    }

    /** {@return {@link #ringHead} behind {@code length} bytes at {@code at}, what was skipped before them included} */
    private long end(int at, int length) {
        int head = (int) ringHead & ringBytes - 1;
        return ringHead + length + (at == head ? 0 : ringBytes - head);
    }

    private boolean hasSlot(int limit) {
        if (sequence - freed < limit) {
            return true;
        }
        completions.harvest();
        return sequence - freed < limit;
    }

    @Override
    public int sendRoom() {
        if (error) {
            return ringBytes / 2; // A write is then refused for what it is.
        }
        int room = contiguousRoom();
        if (room < ringBytes / SMALL_ROOM_DIVISOR) {
            completions.harvest();
            room = contiguousRoom();
        }
        return hasWriteSlot() ? Math.min(room, ringBytes / 2) : 0;
    }

    /** Only writes take these slots, so that who has seen one finds it. */
    private boolean hasWriteSlot() {
        if (writes - writesFreed < depth / 2) {
            return true;
        }
        completions.harvest();
        return writes - writesFreed < depth / 2;
    }

    @Override
    public void awaitPeer() {
        starvedAt = writes;
        if (!starving) {
            starving = true;
            endpoint.watchPeer();
        }
    }

    /**
     * Device thread: asks the peer's device for an acknowledgement, if nothing has been written since the upper layer
     * last found no room.
     *
     * @return whether the upper layer still waits, as far as can be told
     */
    boolean probe(long remoteAddress, int rkey) {
        if (starvedAt != writes) {
            starving = false; // It asks again when it finds no room the next time.
            // Or it has just done so, and has still been seen starving.
            starving = starvedAt == writes;
            return starving;
        }
        WorkRequest probe = new WorkRequest().write(ByteBuffer.allocate(0), 0, 0, remoteAddress, rkey);
        if (hasSlot(depth - 1)) {
            posting.enter();
            try {
                if (!error) {
                    postFromSlot(probe, writes);
                }
            } finally {
                posting.exit();
            }
        }
        return true;
    }

    private int contiguousRoom() {
        long head = ringHead;
        int free = ringBytes - (int) (head - ringFreed);
        int toEnd = ringBytes - ((int) head & ringBytes - 1);
        return Math.max(Math.min(free, toEnd), free - toEnd);
    }

    /** Posts, under {@link #posting}, what lies at {@code payloadOffset} of the memory. */
    private int post(WorkRequest request, int payloadOffset, long ringEnd, long writesThen) {
        long number = sequence;
        int index = (int) number & mask;
        ringEnds[index] = ringEnd;
        writesUpTo[index] = writesThen;
        userIds[index] = request.wrId;
        opcodes[index] = request.opcode;
        userSignalled[index] = request.signalled;
        boolean signalled = request.signalled
                || (number + 1) % signalEvery == 0
                || ringEnd - ringSignalled >= ringBytes / SIGNALS_PER_RING;
        int flags =
                (signalled ? Verbs.FLAG_SIGNALED : 0) | (request.lengthBytes <= inlineLimit ? Verbs.FLAG_INLINE : 0);
        int errno;
        try {
            errno = Verbs.postSend(
                    qp,
                    opcode(request.opcode),
                    flags,
                    number,
                    memory.addressOf(payloadOffset),
                    request.lengthBytes,
                    memory.localKey(),
                    request.remoteAddress,
                    request.rkey,
                    request.immediate);
        } catch (VerbsException e) {
            enterError("post_send", e);
            return IN_ERROR;
        }
        if (errno != 0) {
            return notPosted(request, errno);
        }
        if (signalled) {
            ringSignalled = ringEnd;
        }
        writes = writesThen;
        sequence = number + 1;
        return POSTED;
    }

    private int notPosted(WorkRequest request, int errno) {
        if (errno == VerbsException.ENOMEM) {
            return QUEUE_FULL;
        }
        Log.debug("post_send: errno=" + errno + ", " + endpoint);
        return refuse(request, Status.FATAL_ERR);
    }

    private static int opcode(Opcode opcode) {
        return switch (opcode) {
            case SEND -> Verbs.OPCODE_SEND;
            case RDMA_WRITE -> Verbs.OPCODE_RDMA_WRITE;
            default -> Verbs.OPCODE_RDMA_WRITE_WITH_IMM;
        };
    }

    /** The request fails without having been posted. */
    private int refuse(WorkRequest request, Status status) {
        if (causeTold.compareAndSet(false, true)) {
            completions.completeSend(request.wrId, status, request.opcode);
        }
        enterError();
        return POSTED;
    }

    /**
     * Posts the farewell behind everything else, in error state or not.
     *
     * @return whether {@link DisniEndpoint#farewellCompleted} will be called
     */
    boolean postFarewell(DisconnectReason reason, long lastWord, long remoteAddress, int rkey) {
        WorkRequest request = new WorkRequest();
        ByteBuffer words = ByteBuffer.allocate(FarewellDescriptor.LENGTH)
                .putInt(FarewellDescriptor.REASON_OFFSET, reason.code() + 1)
                .putLong(FarewellDescriptor.LAST_WORD_OFFSET, lastWord);
        request.write(words, 0, FarewellDescriptor.LENGTH, remoteAddress, rkey);
        request.signalled = true;
        // One slot is always left for it.
        hasSlot(depth);
        posting.enter();
        try {
            farewell = sequence;
            return sequence - freed < depth && postFromSlot(request, writes) == POSTED && sequence > farewell;
        } finally {
            posting.exit();
        }
    }

    /** A harvester: request {@code number}, and all before it, are done. */
    void completed(long number, int status) {
        int index = (int) number & mask;
        long userId = userIds[index];
        Opcode opcode = opcodes[index];
        boolean tell = userSignalled[index];
        if (status != WcDescriptor.SUCCESS) {
            tell = enterError(status);
        }
        if (number == farewell) {
            endpoint.farewellCompleted();
        } else if (tell) {
            completions.completeSend(
                    userId,
                    status == WcDescriptor.SUCCESS ? Status.SUCCESS : DisniCompletionQueue.status(status),
                    opcode);
        }
        ringFreed = Math.max(ringFreed, ringEnds[index]);
        writesFreed = writesUpTo[index];
        freed = number + 1;
    }

    @Override
    public boolean postReceive(long wrId, ByteBuffer target, int offset, int lengthBytes) {
        return completions.postReceive(wrId, target, offset, lengthBytes);
    }

    @Override
    public CompletionQueue completionQueue() {
        return completions;
    }

    DisniCompletionQueue completions() {
        return completions;
    }

    @Override
    public CompletionChannel completionChannel() {
        return endpoint.bell();
    }

    @Override
    public boolean inError() {
        return error;
    }

    /** Nothing is posted any more. */
    void enterError() {
        error = true;
    }

    /** A call of the device has failed, which it does when the device is gone. */
    void enterError(String call, VerbsException cause) {
        if (!error) {
            Log.debug(call + " failed: " + cause.getMessage() + ", " + endpoint);
        }
        error = true;
        endpoint.broken();
    }

    /**
     * A completion says that the queue pair is in the error state.
     *
     * @return whether that completion tells the cause, and is the first one to do so
     */
    boolean enterError(int status) {
        error = true;
        endpoint.broken();
        return status != WcDescriptor.WR_FLUSH_ERR && causeTold.compareAndSet(false, true);
    }

    @Override
    public DisconnectReason peerReason() {
        return endpoint.peerReason();
    }

    @Override
    public long peerLastWord() {
        return endpoint.peerLastWord();
    }

    @Override
    public boolean delivered() {
        return endpoint.delivered();
    }

    @Override
    public void disconnect(DisconnectReason reason, long lastWord) {
        endpoint.disconnect(reason, lastWord);
    }
}
