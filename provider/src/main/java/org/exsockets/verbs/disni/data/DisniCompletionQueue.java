package org.exsockets.verbs.disni.data;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.exsockets.observe.Log;
import org.exsockets.observe.VerbsCounts;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.FirstFailure;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.SpinGate;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;
import org.exsockets.verbs.disni.WcDescriptor;
import org.exsockets.verbs.disni.memory.ConnectionMemory;
import org.exsockets.verbs.disni.memory.ConnectionSizes;

/**
 * The CQ of one queue pair. It can be examined only by taking completions, and many threads do: those that wait, and
 * those that need room to send. So any thread harvests, under {@link #harvesting}, and what concerns the upper layer is
 * kept until it polls. Completions of sends make room.
 *
 * <p>Receives lie in slots of this device, in the order in which they are consumed: arrival n is in slot n − 1 modulo
 * their number. {@link #depth} and one more for the farewell are posted when the queue pair is made, so that a peer need
 * not wait for the upper layer. A receive that the upper layer posts says where an arrival goes and, except for the first
 * {@link #depth} ones, gives a slot back to the device.
 *
 * <p>Fields: {@link #arrived} is written by harvesters under the gate, released after the arrival's fields, which the
 * poller reads after acquiring it. {@link #taken} and {@link #posted} belong to the poller; a harvester need not know
 * them, because the device cannot fill more slots than it has been given. Other threads read both in {@link #isEmpty}:
 * a stale {@link #taken} gives a wrong "not empty", which is harmless; a stale {@link #posted} a wrong "empty", for a
 * look: a thread that is about to sleep looks once more in the poller's role.
 */
public final class DisniCompletionQueue implements CompletionQueue {
    /** Set in the wr_id of receives; those of sends are sequence numbers. */
    static final long RECEIVE = 1L << 62;

    /** The wr_id of a receive that no message is to consume. */
    private static final long LAST_RECEIVE = RECEIVE | 1L << 61;

    private final long cq;
    private final long qp;
    private final ConnectionMemory memory;
    private final ByteBuffer bytes;
    private final int depth;
    private final int slots;
    private final int mask;
    private final VerbsCounts counts;
    private final Bell bell;
    private final Sends sends;

    private final SpinGate harvesting = new SpinGate();

    /** Guards giving slots to the device against {@link #giveLastSlot}. */
    private final SpinGate giving = new SpinGate();

    /** No slot is given any more. Guarded by {@link #giving}. */
    private boolean givenLast;

    /** Receives that the device has been given; written under {@link #giving}. */
    private volatile long given;

    /** Receives that have come back, consumed or flushed; written by harvesters. */
    private volatile long returned;

    private final boolean[] withImmediate;
    private final int[] byteLengths;
    private final int[] immediates;
    private volatile long arrived;

    private final long[] receiveIds;
    private final ByteBuffer[] receiveTargets;
    private final int[] receiveOffsets;
    private final int[] receiveLengths;
    private long posted;
    private long taken;

    /**
     * The next completion makes an event, or has made one that the device's thread has not taken yet. Set before a thread
     * arms, and cleared with an event; so it may be false for a queue that is armed, which costs a call.
     */
    private volatile boolean armed;

    /** Of a send, or of a receive of this device; what is flushed tells none. */
    final FirstFailure failure = new FirstFailure();

    /*
     * Atomics and full fences of one small message, from the look on that finds it: harvesting (1), the poller's role (1),
     * the read lock given back (1); for one message in sixteen giving, what is given, the credits that are owed and those
     * that come (4). Before: the read lock taken (1), and harvesting for each look in vain. Stores with release are enough
     * for what is written under harvesting: who asks what has come back has just harvested.
     */
    private static final AtomicLongFieldUpdater<DisniCompletionQueue> ARRIVED =
            AtomicLongFieldUpdater.newUpdater(DisniCompletionQueue.class, "arrived");
    private static final AtomicLongFieldUpdater<DisniCompletionQueue> RETURNED =
            AtomicLongFieldUpdater.newUpdater(DisniCompletionQueue.class, "returned");

    /** The other half of the queue pair. */
    interface Sends {
        /** A harvester: request {@code number}, and all before it, are done; its completion is {@code at} that place. */
        void completed(long number, int status, int at);

        /** A call of the device has failed, as calls do once it has been removed. */
        void enterError(String call, VerbsException cause);

        /** The queue pair is in the error state: the connection is lost. */
        void lost();

        /** A harvester: the peer's last words lie at {@code at} of {@code bytes}. */
        void farewellArrived(ByteBuffer bytes, int at);

        /** Nothing is posted any more. */
        void enterError();
    }

    DisniCompletionQueue(long cq, long qp, ConnectionMemory memory, VerbsCounts counts, Bell bell, Sends sends) {
        this.cq = cq;
        this.qp = qp;
        this.memory = memory;
        this.bytes = memory.whole();
        this.depth = memory.receiveDepth();
        this.slots = memory.sizes().receiveSlots();
        this.mask = slots - 1;
        this.counts = counts;
        this.bell = bell;
        this.sends = sends;
        this.withImmediate = new boolean[slots];
        this.byteLengths = new int[slots];
        this.immediates = new int[slots];
        this.receiveIds = new long[slots];
        this.receiveTargets = new ByteBuffer[slots];
        this.receiveOffsets = new int[slots];
        this.receiveLengths = new int[slots];
    }

    /** Gives the device its receives; before the connection is established. */
    public void fillReceiveQueue() throws VerbsException {
        int wanted = ConnectionSizes.receives(depth);
        int count = giveSlots(slot(0), 1) + giveSlots(slot(1), wanted - 1);
        if (count != wanted) {
            throw new VerbsException("ibv_post_recv", VerbsException.ENOMEM, "only " + count + " of " + wanted);
        }
    }

    /** {@return the slot of an arrival} The first has the last, so that those posted together later lie side by side. */
    private int slot(long arrival) {
        return (int) arrival - 1 & mask;
    }

    private int giveSlots(int first, int count) throws VerbsException {
        giving.enter();
        try {
            if (givenLast) {
                return count; // As if given: the queue pair is about to be in the error state.
            }
            int posted = Verbs.postReceives(
                    qp,
                    RECEIVE,
                    memory.addressOf(memory.receiveSlotOffset(first)),
                    ConnectionMemory.SLOT_BYTES,
                    memory.localKey(),
                    count);
            counts.postedReceives(posted);
            given += posted;
            return posted;
        } finally {
            giving.exit();
        }
    }

    /**
     * Gives the device one more receive, if there is room, and none from then on. All receives given by then come back
     * once the queue pair is in the error state.
     */
    void giveLastSlot() {
        giving.enter();
        try {
            givenLast = true;
            int posted = Verbs.postReceives(qp, LAST_RECEIVE, memory.addressOf(0), 0, memory.localKey(), 1);
            counts.postedReceives(posted);
            given += posted;
        } catch (VerbsException e) {
            sends.enterError("post_recv", e);
        } finally {
            giving.exit();
        }
    }

    /** {@return whether the device has no receive any more; for a thread that has just harvested} */
    boolean hasAllSlotsBack() {
        return given == returned;
    }

    /** As {@link org.exsockets.verbs.QueuePair#postReceives}, but posts none if there is no room for all. */
    boolean postReceives(int count, long wrId, ByteBuffer target, int offset, int lengthBytes) {
        if (posted - taken + count > depth) {
            return false;
        }
        int first = (int) posted & mask;
        for (int i = 0; i < count; i++) {
            int index = (int) posted & mask;
            receiveIds[index] = wrId + i;
            receiveTargets[index] = target;
            receiveOffsets[index] = offset + i * lengthBytes;
            receiveLengths[index] = lengthBytes;
            posted++;
        }
        int again = (int) Math.min(count, posted - depth);
        if (again > 0) {
            giveAgain(first + count - again & mask, again);
        }
        return true;
    }

    private void giveAgain(int first, int count) {
        int toEnd = Math.min(count, slots - first);
        try {
            if (giveSlots(first, toEnd) != toEnd || count > toEnd && giveSlots(0, count - toEnd) != count - toEnd) {
                throw new VerbsException("ibv_post_recv", VerbsException.ENOMEM, "the queue is full");
            }
        } catch (VerbsException e) {
            sends.enterError("post_recv", e);
        }
    }

    @Override
    public boolean isEmpty() {
        if (nothingKept()) {
            harvest();
            return nothingKept();
        }
        return false;
    }

    @Override
    public void look() {
        harvest();
    }

    @Override
    public boolean hasFound() {
        return !nothingKept();
    }

    private boolean nothingKept() {
        long next = taken;
        return (arrived <= next || next >= posted) && !failure.isToTell();
    }

    @Override
    public boolean poll(WorkCompletion into) {
        long arrival = taken;
        if (arrival >= arrived || arrival >= posted) {
            return failure.poll(into);
        }
        int index = (int) arrival & mask;
        into.wrId = receiveIds[index];
        into.byteLength = byteLengths[index];
        into.status = Status.SUCCESS;
        if (withImmediate[index]) {
            into.opcode = Opcode.RECV_RDMA_WITH_IMM;
            into.immediate = immediates[index];
        } else {
            into.opcode = Opcode.RECV;
            if (byteLengths[index] > receiveLengths[index]) {
                into.status = Status.LOC_LEN_ERR;
                sends.enterError();
            } else {
                receiveTargets[index].put(
                        receiveOffsets[index], bytes, memory.receiveSlotOffset(slot(arrival)), byteLengths[index]);
            }
        }
        receiveTargets[index] = null;
        taken = arrival + 1;
        return true;
    }

    @Override
    public void requestNotification() {
        bell.want();
        armForDevice();
    }

    /** As {@link #requestNotification}, for {@link Bell#onEvent}, which signals nothing on the channel. */
    public void armForDevice() {
        armed = true;
        arm(false);
    }

    /** As {@link #requestNotification}, for solicited messages and failures at least. */
    public void requestSolicited() {
        if (!armed) {
            arm(true);
        }
    }

    /** Has the next completion make an event, and takes what has come before. */
    public void armAndHarvest() {
        armForDevice();
        harvest();
    }

    private void arm(boolean solicitedOnly) {
        try {
            Verbs.requestNotification(cq, solicitedOnly);
        } catch (VerbsException e) {
            sends.enterError("req_notify_cq", e);
        }
        harvesting.enter(); // Only to count: a thread that arms is about to poll, or to sleep.
        counts.armed();
        harvesting.exit();
    }

    /** The device's thread has taken an event of this queue. */
    public void tookEvent() {
        armed = false;
        counts.tookEvent();
        bell.onEvent();
    }

    /** Takes everything the device has completed. Any thread while the connection is not released. */
    public void harvest() {
        harvesting.enter();
        try {
            int count;
            do {
                count = Verbs.poll(cq, memory.addressOf(memory.completionsOffset()), ConnectionMemory.COMPLETION_BATCH);
                counts.polled(count);
                for (int i = 0; i < count; i++) {
                    handle(memory.completionsOffset() + i * WcDescriptor.LENGTH);
                }
            } while (count == ConnectionMemory.COMPLETION_BATCH);
        } catch (VerbsException e) {
            sends.enterError("poll_cq", e);
        } finally {
            harvesting.exit();
        }
    }

    private void handle(int at) {
        long wrId = bytes.getLong(at + WcDescriptor.WR_ID_OFFSET);
        int status = bytes.getInt(at + WcDescriptor.STATUS_OFFSET);
        if (wrId < RECEIVE) {
            sends.completed(wrId, status, at);
            return;
        }
        RETURNED.lazySet(this, returned + 1);
        if (wrId != LAST_RECEIVE && status == WcDescriptor.SUCCESS) {
            arrive(at);
            return;
        }
        if (status == WcDescriptor.REM_ACCESS_ERR) {
            // The peer's failure, which learns of it.
            Log.warnFirst("refused request", "a write of a peer was refused: " + WcDescriptor.describe(bytes, at));
        } else if (wrId != LAST_RECEIVE && status != WcDescriptor.WR_FLUSH_ERR) {
            fail(at, "receive");
        }
        sends.lost();
    }

    /** A harvester: what has a completion {@code at} that place has failed. */
    void fail(int at, String what) {
        Status status = status(bytes.getInt(at + WcDescriptor.STATUS_OFFSET));
        failure.set(status, " of a " + what + ", " + WcDescriptor.describe(bytes, at));
    }

    private void arrive(int at) {
        boolean immediate = bytes.getInt(at + WcDescriptor.OPCODE_OFFSET) == WcDescriptor.OPCODE_RECV_RDMA_WITH_IMM;
        int length = bytes.getInt(at + WcDescriptor.BYTE_LENGTH_OFFSET);
        if (!immediate && length == FarewellDescriptor.LENGTH) {
            sends.farewellArrived(bytes, memory.receiveSlotOffset(slot(arrived)));
            return; // Nothing follows.
        }
        if (given == returned) {
            // It has taken the receive of the farewell. A credit comes after a receive has been given.
            failure.set(Status.FATAL_ERR, " of a receive: a message without a credit");
            sends.lost();
            return;
        }
        int index = (int) arrived & mask;
        withImmediate[index] = immediate;
        byteLengths[index] = length;
        immediates[index] = bytes.getInt(at + WcDescriptor.IMMEDIATE_OFFSET);
        ARRIVED.lazySet(this, arrived + 1);
    }

    /** {@return our name for an {@code ibv_wc_status} that is neither SUCCESS nor WR_FLUSH_ERR} */
    static Status status(int status) {
        return switch (status) {
            case WcDescriptor.LOC_LEN_ERR -> Status.LOC_LEN_ERR;
            case WcDescriptor.REM_ACCESS_ERR -> Status.REM_ACCESS_ERR;
            case WcDescriptor.RNR_RETRY_EXC_ERR -> Status.RNR_RETRY_EXC_ERR;
            case WcDescriptor.RETRY_EXC_ERR -> Status.RETRY_EXC_ERR;
            default -> Status.FATAL_ERR;
        };
    }
}
