package org.exsockets.verbs.soft.ring;

import java.nio.ByteBuffer;
import org.exsockets.memory.Words;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.FirstFailure;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.soft.layout.ArrivalDescriptor;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Receive queue and completion queue of one end: arrivals come from the ring that the peer fills.
 *
 * <p>The fields up to {@link #posted} belong to the one thread that polls and posts receives. The upper layer hands
 * them over with a release/acquire pair. Any thread reads {@link #posted} in {@link #isIntact()}, and
 * {@link #expected} in {@link #isEmpty()} and {@link #taken()}. A stale value may give a wrong "not empty", which is harmless: the poll finds nothing. To a thread that does not poll,
 * it may show arrivals that the poller has already taken as absent, which is true.
 */
final class SoftCompletionQueue implements CompletionQueue {
    private final Words words;
    private final int control;
    private final int arrivals;
    private final int slots;
    private final int slotMask;
    private final int use;
    private final Owner queuePair;
    private final @Nullable EndpointSigns signs;

    /** The first receive, which stands for all: they are alike, see {@link QueuePair#placesWhenPolled}. */
    private long receiveId;

    @SuppressWarnings("NullAway.Init") // By the first receive, and read behind one.
    private ByteBuffer target;

    private int targetOffset;
    private int receiveBytes;

    private long posted;

    /** Number of the next message expected. */
    private long expected;

    final FirstFailure failure = new FirstFailure();

    /** The queue pair. */
    interface Owner {
        /** The peer has broken the rules of the shared memory. */
        void enterError();
    }

    SoftCompletionQueue(
            Words words,
            int control,
            int arrivals,
            int slots,
            int use,
            @Nullable EndpointSigns signs,
            Owner queuePair) {
        this.words = words;
        this.control = control;
        this.arrivals = arrivals;
        this.slots = slots;
        this.slotMask = slots - 1;
        this.use = use;
        this.signs = signs;
        this.queuePair = queuePair;
    }

    boolean postReceives(int count, long wrId, ByteBuffer memory, int offset, int lengthBytes) {
        if (posted - expected + count > slots) {
            return false;
        }
        if (posted == 0) {
            receiveId = wrId;
            target = memory;
            targetOffset = offset;
            receiveBytes = lengthBytes;
        }
        posted += count;
        if (posted > slots) {
            // The first ones are in the segment since its reset, so that the peer need not wait for them.
            words.longRelease(control + SegmentDescriptor.POSTED_OFFSET, posted);
        }
        return true;
    }

    /**
     * {@return whether the segment tells of no more receives than there are} It may tell of fewer while the poller is
     * about to store its count: the peer then takes handled messages for unhandled ones, and finds them intact. Any
     * thread.
     */
    boolean isIntact() {
        long told = words.longAcquire(control + SegmentDescriptor.POSTED_OFFSET);
        return told <= Math.max(posted, slots); // Read behind what is stored after it.
    }

    @Override
    public boolean isEmpty() {
        long next = expected;
        long header = words.longAcquire(slot(next) + ArrivalDescriptor.HEADER_OFFSET);
        return (!ArrivalDescriptor.isMessage(header, next, use) || next >= posted) && !failure.isToTell();
    }

    @Override
    public boolean hasFound() {
        return !isEmpty();
    }

    private int slot(long message) {
        return arrivals + (((int) message & slotMask) << ArrivalDescriptor.LENGTH_SHIFT);
    }

    @Override
    public boolean poll(WorkCompletion into) {
        long message = expected;
        int slot = slot(message);
        long header = words.longAcquire(slot + ArrivalDescriptor.HEADER_OFFSET);
        if (!ArrivalDescriptor.isMessage(header, message, use) || message >= posted) {
            return failure.poll(into);
        }
        // Read once: the peer could change the slot meanwhile.
        int byteLength = words.intPlain(slot + ArrivalDescriptor.BYTE_LENGTH_OFFSET);
        into.wrId = receiveId;
        into.byteLength = byteLength;
        into.status = Status.SUCCESS;
        int kind = ArrivalDescriptor.kind(header);
        if (kind == ArrivalDescriptor.KIND_SEND) {
            into.opcode = Opcode.RECV;
            if (byteLength < 0 || byteLength > Math.min(receiveBytes, ArrivalDescriptor.MAX_PAYLOAD)) {
                into.status = Status.LOC_LEN_ERR;
                queuePair.enterError();
            } else {
                target.put(targetOffset, words.memory(), slot + ArrivalDescriptor.PAYLOAD_OFFSET, byteLength);
            }
        } else if (kind == ArrivalDescriptor.KIND_WRITE_WITH_IMM) {
            into.opcode = Opcode.RECV_RDMA_WITH_IMM;
            into.immediate = words.intPlain(slot + ArrivalDescriptor.IMMEDIATE_OFFSET);
        } else {
            // No device of this kind writes that: the peer has broken the rules of the shared memory.
            into.status = Status.WR_FLUSH_ERR;
            queuePair.enterError();
        }
        expected = message + 1;
        return true;
    }

    @Override
    public long taken() {
        return expected;
    }

    @Override
    public void requestNotification() {
        words.intRelease(control + SegmentDescriptor.ARMED_OFFSET, 1);
        Words.storeLoadFence();
    }

    @Override
    public boolean showsSigns() {
        return true;
    }

    @Override
    public @Nullable SleepSign openSleepSign() {
        return signs == null ? null : signs.open();
    }

    @Override
    public boolean show(SleepSign sign, int cell, boolean sets) {
        return signs != null && signs.show(sign, cell, sets);
    }

    @Override
    public void hide(SleepSign sign) {
        if (signs != null) {
            signs.hide(sign);
        }
    }
}
