package org.exsockets.verbs.soft.ring;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.exsockets.memory.CheckedCopy;
import org.exsockets.memory.Words;
import org.exsockets.verbs.CompletionChannel;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.ProgramMemory;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.SpinGate;
import org.exsockets.verbs.WakeWord;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.soft.arena.EndpointArenas;
import org.exsockets.verbs.soft.copy.RegionWriter;
import org.exsockets.verbs.soft.layout.ArrivalDescriptor;
import org.exsockets.verbs.soft.layout.SegmentDescriptor;
import org.exsockets.verbs.soft.shared.Doorbell;
import org.exsockets.verbs.soft.shared.SleepWords;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair over a shared segment. Posting copies the payload into the peer's memory and announces it in the peer's
 * arrival ring; the request has completed when the post returns.
 */
final class SoftQueuePair implements QueuePair, SoftCompletionQueue.Owner {
    private final Words words;
    private final boolean isA;
    private final int slotMask;
    private final int use;
    private final int ownControl;
    private final int peerControl;
    private final int peerArrivals;
    private final RegionWriter writer = new RegionWriter(true);

    /** Where memory of the peer's program is; null: none. */
    private final @Nullable EndpointArenas arenas;

    /** Null: neither end shows any. */
    private final @Nullable EndpointSigns signs;

    private final Doorbell doorbell;

    /** <em>asleep</em> of both ends: the own one to sleep on, the peer's to wake the peer. */
    private final SleepWords sleepers;

    private final WakeWord wakeWord;
    private final SoftCompletionQueue completions;
    private final AtomicBoolean disconnected = new AtomicBoolean();
    private volatile boolean error;

    /** Where writes go: the region in the segment, later the reserve. Belongs to the writer. */
    private Reserves.WritableRegion target;

    /** The next {@link #target}, from the first write to it on; null: none. Belongs to the writer. */
    private Reserves.@Nullable WritableRegion reached;

    /**
     * Serialises the publishing of arrivals: two threads of this end may post at once (a writer's data, another
     * thread's acknowledgement). Held for a handful of stores, never while copying a payload of a write. Guards the
     * two fields below. Tests enter it.
     */
    final SpinGate publishing = new SpinGate();

    /** Number of the next message to publish; guarded by {@link #publishing}. */
    private long published;

    /** Messages the peer has been seen to have receives for; guarded by {@link #publishing}. */
    private long postedByPeer;

    SoftQueuePair(
            Words words,
            boolean isA,
            int slots,
            int regionBytes,
            Doorbell doorbell,
            @Nullable EndpointArenas arenas,
            @Nullable EndpointSigns signs) {
        this.words = words;
        this.isA = isA;
        this.arenas = arenas;
        this.signs = signs;
        this.slotMask = slots - 1;
        this.use = words.intPlain(SegmentDescriptor.USE_OFFSET) & ArrivalDescriptor.MAX_USE;
        this.ownControl = isA ? SegmentDescriptor.CONTROL_A_OFFSET : SegmentDescriptor.CONTROL_B_OFFSET;
        this.peerControl = isA ? SegmentDescriptor.CONTROL_B_OFFSET : SegmentDescriptor.CONTROL_A_OFFSET;
        this.peerArrivals = SegmentDescriptor.arrivalsOffset(!isA, slots);
        this.target = new Reserves.WritableRegion(
                SegmentDescriptor.regionKey(!isA),
                words.memory(),
                SegmentDescriptor.regionOffset(!isA, slots, regionBytes),
                regionBytes);
        this.doorbell = doorbell;
        this.sleepers = new SleepWords(words);
        this.wakeWord = sleepers.word(ownControl + SegmentDescriptor.ASLEEP_OFFSET);
        this.completions = new SoftCompletionQueue(
                words, ownControl, SegmentDescriptor.arrivalsOffset(isA, slots), slots, use, signs, this);
    }

    @Override
    public int sendRoom() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int send(ByteBuffer payload, int offset, int length, boolean solicited) {
        if (error) {
            return IN_ERROR;
        }
        if (length > ArrivalDescriptor.MAX_PAYLOAD) {
            throw new IllegalArgumentException(
                    "post_send: message too long: length=" + length + ", limit=" + ArrivalDescriptor.MAX_PAYLOAD);
        }
        publishing.enter();
        try {
            if (!receivePosted()) {
                return fail(Status.RNR_RETRY_EXC_ERR);
            }
            int slot = slot(published);
            words.memory().put(slot + ArrivalDescriptor.PAYLOAD_OFFSET, payload, offset, length);
            words.intPlain(slot + ArrivalDescriptor.BYTE_LENGTH_OFFSET, length);
            publish(slot, ArrivalDescriptor.KIND_SEND);
        } finally {
            publishing.exit();
        }
        ringIfArmed();
        return POSTED;
    }

    @Override
    public int write(
            ByteBuffer payload, int offset, int length, long address, int key, @Nullable ProgramMemory memory) {
        if (error) {
            return IN_ERROR;
        }
        if (reached != null && key == reached.key) {
            target = reached;
            reached = null;
        }
        Reserves.WritableRegion to = target;
        if (key != to.key) {
            return arenas != null && arenas.write(payload, offset, length, address, key) ? POSTED : refuse();
        }
        if (length < 0 || address < 0 || address > to.lengthBytes - (long) length) {
            return refuse();
        }
        int at = to.offset + (int) address;
        if (length >= RegionWriter.MIN_BYTES) {
            writer.put(to.memory, at, payload, offset, length, to.lengthBytes);
        } else if (length > 0) {
            CheckedCopy.copy(to.memory, at, payload, offset, length);
        }
        return POSTED;
    }

    private int refuse() {
        fail(Status.REM_ACCESS_ERR);
        return IN_ERROR;
    }

    /** The writer: writes may go to {@code region}, too, until the first one does. */
    void reach(Reserves.WritableRegion region) {
        reached = region;
    }

    @Override
    public int writeWithImmediate(
            ByteBuffer payload,
            int offset,
            int length,
            long address,
            int key,
            @Nullable ProgramMemory memory,
            int immediate,
            boolean solicited) {
        if (write(payload, offset, length, address, key, memory) != POSTED) {
            return IN_ERROR;
        }
        publishing.enter();
        try {
            if (!receivePosted()) {
                return fail(Status.RNR_RETRY_EXC_ERR);
            }
            int slot = slot(published);
            words.intPlain(slot + ArrivalDescriptor.IMMEDIATE_OFFSET, immediate);
            words.intPlain(slot + ArrivalDescriptor.BYTE_LENGTH_OFFSET, length);
            publish(slot, ArrivalDescriptor.KIND_WRITE_WITH_IMM);
        } finally {
            publishing.exit();
        }
        ringIfArmed();
        return POSTED;
    }

    private boolean receivePosted() {
        if (published < postedByPeer) {
            return true;
        }
        postedByPeer = words.longAcquire(peerControl + SegmentDescriptor.POSTED_OFFSET);
        return published < postedByPeer && postedByPeer - published <= slotMask + 1L;
    }

    private int slot(long message) {
        return peerArrivals + (((int) message & slotMask) << ArrivalDescriptor.LENGTH_SHIFT);
    }

    private void publish(int slot, int kind) {
        words.longRelease(slot + ArrivalDescriptor.HEADER_OFFSET, ArrivalDescriptor.header(published, use, kind));
        published++;
    }

    /**
     * Looks at what this end has told of its own receives, and at the messages that the peer has not taken. This end has
     * stored their headers, and stores there again only when the peer has posted the receives for the messages {@code
     * slots} later. Within the gate no message is half published: each that is counted has its header, and the peer has
     * taken none that is not counted. A publisher that is stopped holds the gate, so nothing is looked at meanwhile.
     *
     * <p>If the peer's count was overwritten, too, and tells of more, a lost message seems taken: until the peer's look
     * finds its count wrong, or the peer takes an earlier message and stores the right one. So nothing is remembered from
     * look to look. If it tells of less, messages that were taken are looked at, too: they are still there.
     */
    @Override
    public boolean isIntact() {
        if (!completions.isIntact()) {
            return false;
        }
        if (!publishing.tryEnter()) {
            return true;
        }
        try {
            long slots = slotMask + 1L;
            long message = words.longAcquire(peerControl + SegmentDescriptor.POSTED_OFFSET) - slots;
            long left = published - message;
            boolean intact = left >= 0 && left <= slots;
            while (intact && message < published) {
                intact = isThere(message++);
            }
            return intact;
        } finally {
            publishing.exit();
        }
    }

    private boolean isThere(long message) {
        long header = words.longAcquire(slot(message) + ArrivalDescriptor.HEADER_OFFSET);
        return ArrivalDescriptor.isMessage(header, message, use)
                && (words.intPlain(SegmentDescriptor.USE_OFFSET) & ArrivalDescriptor.MAX_USE) == use;
    }

    /**
     * The other half of Dekker's handshakes in {@link SoftCompletionQueue#requestNotification} and
     * {@link SleepWords.Word#arm}, and of those of a sign.
     */
    private void ringIfArmed() {
        Words.storeLoadFence();
        if (words.longAcquire(peerControl + SegmentDescriptor.ARMED_OFFSET) != 0) {
            wakePeer();
        }
        wakeBehindSign(false);
    }

    private void wakeBehindSign(boolean end) {
        long sign = words.longAcquire(peerControl + SegmentDescriptor.SIGN_OFFSET);
        if (sign != 0 && signs != null) {
            signs.wakePeer(sign, end);
        }
    }

    private void wakePeer() {
        wakeSleeper();
        int armed = peerControl + SegmentDescriptor.ARMED_OFFSET;
        if (words.intAcquire(armed) != 0) {
            words.intRelease(armed, 0);
            doorbell.ring();
        }
    }

    /** Wakes the peer's thread if it sleeps on its word. The caller has published what it is to see, then fenced. */
    private void wakeSleeper() {
        int asleep = peerControl + SegmentDescriptor.ASLEEP_OFFSET;
        if (sleepers.isArmed(asleep)) {
            sleepers.wake(asleep);
        }
    }

    private int fail(Status status) {
        error = true;
        completions.failure.set(status, "");
        return POSTED;
    }

    @Override
    public boolean postReceives(int count, long wrId, ByteBuffer target, int offset, int lengthBytes) {
        return completions.postReceives(count, wrId, target, offset, lengthBytes);
    }

    @Override
    public boolean placesWhenPolled() {
        return true;
    }

    @Override
    public CompletionQueue completionQueue() {
        return completions;
    }

    @Override
    public CompletionChannel completionChannel() {
        return doorbell;
    }

    @Override
    public WakeWord wakeWord() {
        return wakeWord;
    }

    @Override
    public boolean inError() {
        return error;
    }

    @Override
    public void enterError() {
        error = true;
    }

    @Override
    public boolean accepted() {
        return !isA || words.intAcquire(peerControl + SegmentDescriptor.ACCEPTOR_OFFSET) != 0;
    }

    @Override
    public DisconnectReason peerReason() {
        return DisconnectReason.of(words.intAcquire(peerControl + SegmentDescriptor.REASON_OFFSET));
    }

    @Override
    public long peerLastWord() {
        return words.longPlain(peerControl + SegmentDescriptor.LAST_WORD_OFFSET);
    }

    @Override
    public boolean delivered() {
        return disconnected.get();
    }

    @Override
    public void disconnect(DisconnectReason reason, long lastWord) {
        error = true;
        if (disconnected.compareAndSet(false, true)) {
            words.longPlain(ownControl + SegmentDescriptor.LAST_WORD_OFFSET, lastWord);
            words.intRelease(ownControl + SegmentDescriptor.REASON_OFFSET, reason.code());
            doorbell.end(peerReason() != DisconnectReason.NONE);
            Words.storeLoadFence();
            wakeSleeper();
            wakeBehindSign(true);
        }
    }
}
