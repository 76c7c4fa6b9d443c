package org.exsockets.verbs.disni;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.memory.CheckedCopy;
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
 * writes into a ring, from where the device reads them; so every request may be reused when its post returns. Small
 * writes go inline, and leave the ring's room free. Writes from registered memory of the program are not copied; each
 * asks for a completion, and keeps the caller's payload until then. Of the others only every {@link #signalEvery}-th,
 * or one for each quarter of the ring, asks for one, which frees all before it.
 *
 * <p>Requests are numbered by {@link #sequence}. Slots, and what is kept about a request, are indexed by the number
 * modulo the depth of the send queue; an index is not used again before {@link #freed} has passed its request.
 * {@link #sequence} and what is kept per request are written under {@link #posting}; harvesters read the latter for
 * requests that have completed, which happens after they were posted. {@link #freed}, {@link #writesFreed} and
 * {@link #registeredFreed} are written by harvesters, one at a time, and read by threads that post: a stale value shows
 * too little room.
 */
final class DisniQueuePair implements QueuePair {
    private static final int SIGNALS_PER_QUEUE = 8;
    private static final int SIGNALS_PER_RING = 4;
    private static final int SMALL_ROOM_DIVISOR = 8;
    private static final long NOT_POSTED = -1;

    /** Bound of one write from registered memory: every adapter takes this length, and several are under way. */
    private static final int MAX_REGISTERED_WRITE = 1 << 20;

    private final long qp;
    private final DisniEndpoint endpoint;
    private final ConnectionMemory memory;
    private final ByteBuffer bytes;
    private final DisniCompletionQueue completions;
    private final int inlineLimit;
    private final int depth;
    private final int mask;
    private final int signalEvery;
    private final SendRing ring;

    private volatile boolean error;

    /** Whether a completion has told the cause of the error state; flushed requests do not. */
    private final AtomicBoolean causeTold = new AtomicBoolean();

    /** Serialises writes from the copy of the payload to the post. Guards the head of {@link #ring}. */
    private final SpinGate writing = new SpinGate();

    /** Writes posted; written under {@link #posting}, by one writer at a time. */
    private volatile long writes;

    /** Writes whose slots are free again. */
    private volatile long writesFreed;

    private final PeerProbe starvation = new PeerProbe();
    private final Severance severance;

    /** Serialises posts: held for one call of the device. */
    private final SpinGate posting = new SpinGate();

    private volatile long sequence;
    private long ringSignalled;
    private final long[] ringEnds;
    private final long[] writesUpTo;
    private final long[] userIds;
    private final Opcode[] opcodes;
    private final boolean[] userSignalled;

    /** Writes from registered memory up to and including a request. */
    private final long[] registeredUpTo;

    /** Writes from registered memory that were posted; written under {@link #posting}. */
    private volatile long registered;

    /** Writes from registered memory whose payload the device does not read any more. */
    private volatile long registeredFreed;

    /** Number of the farewell. */
    private volatile long farewell = NOT_POSTED;

    private volatile long freed;

    DisniQueuePair(ConnectionResources resources, DisniEndpoint endpoint) throws VerbsException {
        this.qp = resources.qpHandle();
        this.endpoint = endpoint;
        this.memory = resources.memory();
        this.bytes = memory.whole();
        this.inlineLimit = Verbs.inlineLimit(qp);
        this.depth = memory.sendDepth();
        this.mask = depth - 1;
        this.signalEvery = depth / SIGNALS_PER_QUEUE;
        this.ring = new SendRing(memory.ringBytes());
        this.ringEnds = new long[depth];
        this.writesUpTo = new long[depth];
        this.userIds = new long[depth];
        this.opcodes = new Opcode[depth];
        this.userSignalled = new boolean[depth];
        this.registeredUpTo = new long[depth];
        this.completions = new DisniCompletionQueue(resources.cqHandle(), qp, memory, this);
        this.severance = new Severance(new Severed());
    }

    @Override
    public int postSend(WorkRequest request) {
        if (request.opcode == Opcode.RECV || request.opcode == Opcode.RECV_RDMA_WITH_IMM) {
            throw new IllegalArgumentException("post_send: not a request: " + request.opcode);
        }
        int limit = request.opcode == Opcode.SEND
                ? ConnectionMemory.SLOT_BYTES
                : request.inline ? ring.lengthBytes() / 2 : MAX_REGISTERED_WRITE;
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
        if (request.opcode == Opcode.SEND) {
            return send(request);
        }
        return request.inline ? write(request) : writeRegistered(request);
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
        return post(request, memory.addressOf(slot), memory.localKey(), ring.head(), writesNow, registered);
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
            int at = ring.place(length);
            if (at < 0) {
                completions.harvest();
                at = ring.place(length);
                if (at < 0) {
                    return QUEUE_FULL;
                }
            }
            int offset = memory.ringOffset() + at;
            CheckedCopy.fromProgram(bytes, offset, request.source, request.sourceOffset, length);
            long end = inline ? ring.head() : ring.end(at, length);
            posting.enter();
            try {
                int posted = error
                        ? IN_ERROR
                        : post(request, memory.addressOf(offset), memory.localKey(), end, writes + 1, registered);
                if (posted == POSTED) {
                    ring.advance(end);
                }
                return posted;
            } finally {
                posting.exit();
            }
        } finally {
            writing.exit();
        }
    }

    /** The device reads the program's memory; the caller keeps the registration until the completion. */
    private int writeRegistered(WorkRequest request) {
        if (!(request.memory instanceof Registration from)) {
            throw new IllegalArgumentException("post_send: the payload is not registered here: " + request.memory);
        }
        long payload = from.remoteAddress(request.source, request.sourceOffset);
        if (!from.covers(payload, request.lengthBytes)) {
            throw new IllegalArgumentException("post_send: not all of the payload is registered: address=0x"
                    + Long.toHexString(payload) + ", length=" + request.lengthBytes + ", registered: " + from);
        }
        writing.enter();
        try {
            if (!hasWriteSlot()) {
                return QUEUE_FULL;
            }
            posting.enter();
            try {
                return error
                        ? IN_ERROR
                        : post(request, payload, from.localKey(), ring.head(), writes + 1, registered + 1);
            } finally {
                posting.exit();
            }
        } finally {
            writing.exit();
        }
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
            return ring.lengthBytes() / 2; // Not 0: the caller is to post, and learn of the error.
        }
        int room = ring.contiguousRoom();
        if (room < ring.lengthBytes() / SMALL_ROOM_DIVISOR) {
            completions.harvest();
            room = ring.contiguousRoom();
        }
        return hasWriteSlot() ? Math.min(room, ring.lengthBytes() / 2) : 0;
    }

    @Override
    public int registeredRoom() {
        return error || hasWriteSlot() ? MAX_REGISTERED_WRITE : 0;
    }

    @Override
    public long unfinishedWrites() {
        long unfinished = registered - registeredFreed;
        if (unfinished != 0) {
            completions.harvest();
            unfinished = registered - registeredFreed;
        }
        return severance.isDone() ? 0 : unfinished;
    }

    /** As {@link org.exsockets.verbs.Endpoint#sever}. */
    void sever() {
        severance.sever();
    }

    private final class Severed implements Severance.Target {
        @Override
        public void close() {
            enterError();
            completions.giveLastSlot();
        }

        @Override
        public void setError() throws VerbsException {
            Verbs.setError(qp);
        }

        @Override
        public boolean isDrained() {
            completions.harvest();
            return completions.hasAllSlotsBack() && registered == registeredFreed;
        }

        @Override
        public void broken() {
            endpoint.broken();
        }

        @Override
        public String toString() {
            return endpoint.toString();
        }
    }

    /** Only writes take these slots: a free one that a writer has seen stays free. */
    private boolean hasWriteSlot() {
        if (writes - writesFreed < depth / 2) {
            return true;
        }
        completions.harvest();
        return writes - writesFreed < depth / 2;
    }

    @Override
    public void awaitPeer() {
        if (starvation.await(writes)) {
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
        if (!starvation.isDue(writes)) {
            return starvation.starvesAgain(() -> writes);
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

    /** Posts, under {@link #posting}, what lies at {@code payload}, in memory registered with {@code localKey}. */
    private int post(
            WorkRequest request, long payload, int localKey, long ringEnd, long writesThen, long registeredThen) {
        long number = sequence;
        int index = (int) number & mask;
        ringEnds[index] = ringEnd;
        writesUpTo[index] = writesThen;
        userIds[index] = request.wrId;
        opcodes[index] = request.opcode;
        userSignalled[index] = request.signalled;
        registeredUpTo[index] = registeredThen;
        boolean signalled = request.signalled
                || registeredThen != registered
                || (number + 1) % signalEvery == 0
                || ringEnd - ringSignalled >= ring.lengthBytes() / SIGNALS_PER_RING;
        int flags = (signalled ? Verbs.FLAG_SIGNALED : 0)
                | (request.solicited ? Verbs.FLAG_SOLICITED : 0)
                | (request.lengthBytes <= inlineLimit ? Verbs.FLAG_INLINE : 0);
        int errno;
        try {
            errno = Verbs.postSend(
                    qp,
                    opcode(request.opcode),
                    flags,
                    number,
                    payload,
                    request.lengthBytes,
                    localKey,
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
        registered = registeredThen;
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
     * Posts the farewell behind everything else, in the error state, too.
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
        long registeredDone = registeredUpTo[index];
        if (status != WcDescriptor.SUCCESS) {
            // Requests are flushed one by one: this one gives a payload back if its count has grown.
            tell &= registeredDone != registeredFreed;
            tell |= enterError(status);
        }
        if (number == farewell) {
            endpoint.farewellCompleted();
        } else if (tell) {
            completions.completeSend(
                    userId,
                    status == WcDescriptor.SUCCESS ? Status.SUCCESS : DisniCompletionQueue.status(status),
                    opcode);
        }
        ring.free(ringEnds[index]);
        registeredFreed = registeredDone;
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

    /** A call of the device has failed, as calls do once it has been removed. */
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
