package org.exsockets.packet;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.exsockets.stream.MessageCredits;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.PacketMessageDescriptor;

/**
 * One end of a packet connection, both directions, over an established endpoint.
 *
 * <p>Each receive is advertised to the peer, in order; each packet goes to the oldest ADVERT. The peer writes as much of it
 * as the device lets it into the program's memory, and the rest into <em>staging</em>, a ring in the exposed memory, from
 * where it is copied: without direct memory all of it. There is nothing else to send to, so packets wait at the sender
 * until there is a receive. A packet that is longer than its receive is cut, and its length told.
 *
 * <p>An ADVERT is taken back by CANCEL; the peer answers CANCELLED before it sends anything else, but behind a packet it
 * has begun for it. So the packets that arrive are always for the oldest receive that has not ended.
 *
 * <p>Writes to exports of the peer are RDMA writes, in one order with the packets. One with notification ends the peer's
 * oldest receive by a message behind the write.
 *
 * <p>Not thread-safe: everything belongs to whoever holds the lock of its owner, the listener's calls included.
 */
public final class PacketEngine {
    /** Version of this protocol, from a range of its own: see {@code rendezvous.Protocol}. */
    public static final int VERSION = 65;

    /** ADVERTs an end may have out at a time. */
    static final int MAX_ADVERTS = 1024;

    /** What the peer may be let write to where it lies must be at least so long: below, a copy is cheaper. */
    private static final int MIN_DIRECT_BYTES = 16 << 10;

    /** How a transfer has ended. */
    public enum Ending {
        DONE,
        END_OF_STREAM,
        CANCELLED,
        /** A write to an export that is not there, or beyond its end; nothing was written. */
        NO_EXPORT
    }

    /** Is told of ends, within the calls of the engine; may begin further transfers. */
    @FunctionalInterface
    public interface Listener {
        void ended(PacketTransfer transfer, Ending how);
    }

    private final Endpoint endpoint;
    private final QueuePair queuePair;
    private final CompletionQueue completions;
    private final MessageCredits credits;
    private final Listener listener;
    private final WorkCompletion completion = new WorkCompletion();
    private final WorkRequest request = new WorkRequest();
    private final ByteBuffer message = PacketMessageDescriptor.allocate(1);
    private final ByteBuffer messages;
    private final ByteBuffer exposed;
    private String failure;

    // Receiving.

    private final Staging staging;
    private final int stagingBytes;

    /** Receives without ADVERT, and those with one; all of the latter are older. */
    private final ArrayDeque<PacketTransfer> waiting = new ArrayDeque<>();

    private final ArrayDeque<PacketTransfer> live = new ArrayDeque<>();
    private final ArrayDeque<PacketTransfer> cancelDue = new ArrayDeque<>(0);
    private int cancelsUnanswered;
    private int nextId;
    private long received;
    private boolean finArrived;

    // Sending.

    private final ArrayDeque<PacketTransfer> sends = new ArrayDeque<>();
    private final PeerAdverts adverts = new PeerAdverts(MAX_ADVERTS);
    private final ArrayDeque<Integer> cancelledDue = new ArrayDeque<>(0);
    private long sent;
    private boolean finishing;
    private boolean finSent;

    private final Exports exports;

    /** Takes over an endpoint nobody has posted to yet. */
    public PacketEngine(Endpoint endpoint, Listener listener) {
        this.endpoint = endpoint;
        this.listener = listener;
        this.queuePair = endpoint.queuePair();
        this.completions = queuePair.completionQueue();
        this.exposed = endpoint.exposed();
        this.stagingBytes = exposed.capacity();
        this.staging = new Staging(stagingBytes);
        this.exports = new Exports(endpoint);
        int depth = endpoint.receiveDepth();
        this.credits = new MessageCredits(depth);
        this.messages = PacketMessageDescriptor.allocate(depth);
        for (int i = 0; i < depth; i++) {
            postReceive(i);
        }
    }

    private void postReceive(int index) {
        int length = PacketMessageDescriptor.LENGTH;
        if (!queuePair.postReceive(index, messages, index * length, length)) {
            throw new IllegalStateException("packets: receive queue full: index=" + index);
        }
    }

    // Beginning.

    /** {@return bytes that a receive may have beyond those the peer can write to where they lie} */
    public int maxStagedBytes() {
        return stagingBytes / 2;
    }

    /**
     * Begins a receive.
     *
     * @throws IllegalArgumentException if the peer cannot write to enough of it
     */
    public void receive(PacketTransfer transfer) {
        findRegistration(transfer);
        if (transfer.length - transfer.direct > maxStagedBytes()) {
            releaseRegistration(transfer);
            throw new IllegalArgumentException("receive: too long for memory that the peer cannot write to: length="
                    + transfer.length + ", limit=" + maxStagedBytes() + "; use whole pages of ExsMemory.allocate");
        }
        waiting.add(transfer);
        if (finArrived) {
            endReceives();
        } else {
            flush();
        }
    }

    private void findRegistration(PacketTransfer transfer) {
        if (transfer.length < MIN_DIRECT_BYTES) {
            return;
        }
        transfer.registration = endpoint.registered(transfer.memory, transfer.offset, transfer.length);
        if (transfer.registration != null) {
            transfer.direct = transfer.registration.advertisable(transfer.memory, transfer.offset, transfer.length);
            if (transfer.direct == 0) {
                releaseRegistration(transfer);
            }
        }
    }

    private static void releaseRegistration(PacketTransfer transfer) {
        if (transfer.registration != null) {
            transfer.registration.release();
            transfer.registration = null;
        }
    }

    /** Begins to send a packet, or to write to an export. */
    public void send(PacketTransfer transfer) {
        sends.add(transfer);
        flush();
    }

    /**
     * Cancels a receive, send or write. A receive that is advertised ends later; everything else has ended when this
     * returns, but a packet or write that is half under way, which goes on.
     */
    public void cancel(PacketTransfer transfer) {
        if (waiting.remove(transfer)) {
            endReceive(transfer, Ending.CANCELLED);
        } else if (live.contains(transfer)) {
            if (!transfer.cancelling) {
                transfer.cancelling = true;
                cancelDue.add(transfer);
                flush();
            }
        } else if ((transfer.moved == 0 || transfer != sends.peek()) && sends.remove(transfer)) {
            listener.ended(transfer, Ending.CANCELLED);
            flush();
        }
    }

    /** Nothing follows what is being sent. Idempotent. */
    public void finish() {
        finishing = true;
        flush();
    }

    /** {@return what the peer is shown, and where} */
    public Exports exports() {
        return exports;
    }

    // Completions.

    /** Handles every completion that is there. {@return whether there was any} */
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
        if (any || !sends.isEmpty()) {
            flush();
        }
        return any;
    }

    private void handle() {
        int index = (int) completion.wrId;
        switch (completion.opcode) {
            case RECV -> onMessage(index * PacketMessageDescriptor.LENGTH, completion.byteLength);
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
        if (ImmediateDescriptor.kind(immediate) != ImmediateDescriptor.DIRECT) {
            violation("immediate of unknown kind", immediate);
            return;
        }
        onPacket(ImmediateDescriptor.id(immediate), length, length);
    }

    private void onMessage(int at, int length) {
        if (length != PacketMessageDescriptor.LENGTH) {
            violation("message of wrong length", length);
            return;
        }
        onCredits(PacketMessageDescriptor.credits(messages, at));
        int id = PacketMessageDescriptor.id(messages, at);
        switch (PacketMessageDescriptor.type(messages, at)) {
            case PacketMessageDescriptor.CREDIT -> {}
            case PacketMessageDescriptor.ADVERT -> onAdvert(id, at);
            case PacketMessageDescriptor.PACKET ->
                onPacket(id, PacketMessageDescriptor.length(messages, at), PacketMessageDescriptor.total(messages, at));
            case PacketMessageDescriptor.CANCEL -> onCancel(id);
            case PacketMessageDescriptor.CANCELLED -> onCancelled(id);
            case PacketMessageDescriptor.FIN -> onFin(PacketMessageDescriptor.total(messages, at));
            case PacketMessageDescriptor.NOTIFY -> onNotify(id, at);
            case PacketMessageDescriptor.EXPORT -> {
                if (!exports.onExport(
                        id,
                        PacketMessageDescriptor.address(messages, at),
                        PacketMessageDescriptor.rkey(messages, at),
                        PacketMessageDescriptor.length(messages, at))) {
                    violation("export of an impossible range or out of turn", id);
                }
            }
            case PacketMessageDescriptor.UNEXPORT -> {
                if (!exports.onUnexport(id)) {
                    violation("export taken back that is not there", id);
                }
            }
            case PacketMessageDescriptor.UNEXPORTED -> {
                if (!exports.onUnexported(id)) {
                    violation("answer to an export that was not taken back", id);
                }
            }
            default -> violation("message of unknown type", PacketMessageDescriptor.type(messages, at));
        }
    }

    private void onCredits(int returned) {
        if (!credits.onReturned(returned)) {
            violation("more message credits returned than there are", returned);
        }
    }

    private void onPacket(int id, long placed, long total) {
        PacketTransfer to = live.peek();
        if (to == null || to.id != id || finArrived) {
            violation("packet for a receive that is not the oldest", id);
        } else if (placed != Math.min(total, to.length) || total < 0 || total > Integer.MAX_VALUE) {
            violation("packet of impossible length", total);
        } else {
            to.moved = (int) placed;
            to.movedDirect = Math.min(to.moved, to.direct);
            to.packetLength = (int) total;
            if (to.moved > to.direct && to.memory != null) {
                to.memory.put(to.offset + to.direct, exposed, to.staging, to.moved - to.direct);
            }
            received++;
            endOldest(Ending.DONE);
        }
    }

    private void onNotify(int id, int at) {
        PacketTransfer to = live.peek();
        int number = PacketMessageDescriptor.rkey(messages, at);
        long offset = PacketMessageDescriptor.total(messages, at);
        long length = PacketMessageDescriptor.length(messages, at);
        if (to == null || to.id != id || finArrived) {
            violation("notification for a receive that is not the oldest", id);
        } else if (!exports.hasLocal(number, offset, length)) {
            violation("notification of a write outside of what is exported", number);
        } else {
            to.notifiedExport = number;
            to.notifiedOffset = offset;
            to.notifiedLength = (int) length;
            received++;
            endOldest(Ending.DONE);
        }
    }

    private void endOldest(Ending how) {
        PacketTransfer oldest = live.poll();
        release(oldest);
        endReceive(oldest, how);
    }

    private void endReceive(PacketTransfer transfer, Ending how) {
        releaseRegistration(transfer);
        listener.ended(transfer, how);
    }

    /** Gives the staging of a receive back that is not in {@link #live} any more, if all older ones have been. */
    private void release(PacketTransfer ended) {
        cancelDue.remove(ended);
        if (live.isEmpty()) {
            staging.free(staging.end());
        } else if (ended.stagingEnd <= live.peek().stagingEnd) {
            staging.free(ended.stagingEnd);
        }
    }

    private void onCancelled(int id) {
        if (--cancelsUnanswered < 0) {
            violation("answer to a cancel that was not asked for", id);
            return;
        }
        for (PacketTransfer each : live) {
            if (each.id == id) {
                if (!each.cancelling) {
                    violation("answer to the cancel of another receive", id);
                    return;
                }
                live.remove(each);
                release(each);
                endReceive(each, Ending.CANCELLED);
                return;
            }
        }
        // It ended before the peer heard of the cancel.
    }

    private void onAdvert(int id, int at) {
        long total = PacketMessageDescriptor.total(messages, at);
        long direct = PacketMessageDescriptor.length(messages, at);
        long address = PacketMessageDescriptor.address(messages, at);
        int rkey = PacketMessageDescriptor.rkey(messages, at);
        int offset = PacketMessageDescriptor.offset(messages, at);
        if (id < 0 || id >= ImmediateDescriptor.ID_LIMIT || adverts.isFull()) {
            violation("ADVERT with an impossible id, or one too many", id);
        } else if (total < 0 || total > Integer.MAX_VALUE || direct < 0 || direct > total) {
            violation("ADVERT of impossible length", total);
        } else if (offset < 0 || total - direct > endpoint.remoteLength() - (long) offset) {
            violation("ADVERT beyond what is exposed", offset);
        } else if (finSent) {
            return; // It will never be used.
        } else if (direct > 0 && !endpoint.reaches(address, rkey, direct)) {
            failure = "memory that the peer has advertised cannot be written to from here: length=" + direct;
        } else {
            adverts.add(id, (int) total, address, rkey, (int) direct, offset);
        }
    }

    private void onCancel(int id) {
        boolean begun = !adverts.isEmpty() && adverts.id() == id && halfSent();
        if (!begun) {
            adverts.remove(id);
        }
        cancelledDue.add(id);
    }

    /** {@return whether something has been written for the oldest ADVERT whose message has not been sent yet} */
    private boolean halfSent() {
        PacketTransfer first = sends.peek();
        return first != null && first.export == 0 && first.moved > 0;
    }

    private void onFin(long packets) {
        if (finArrived || packets != received) {
            violation("end of the packets at the wrong place", packets);
            return;
        }
        finArrived = true;
        endReceives();
    }

    private void endReceives() {
        while (!live.isEmpty()) {
            endOldest(Ending.END_OF_STREAM);
        }
        for (PacketTransfer each; (each = waiting.poll()) != null; ) {
            endReceive(each, Ending.END_OF_STREAM);
        }
    }

    /** The peer has disconnected in order, having sent {@code packets} in all. */
    public void onPeerClosed(long packets) {
        if (failure == null && !finArrived) {
            onFin(packets);
        }
    }

    private void violation(String what, long value) {
        failure = "protocol violation by the peer: " + what + ": value=" + value + ", received=" + received;
    }

    // Sending what is due.

    private boolean flushing;

    /** Sends what is due as far as message credits and ADVERTs allow. */
    public void flush() {
        if (flushing) {
            return; // The listener begins something: whoever called it looks again.
        }
        flushing = true;
        try {
            while (failure == null && !queuePair.inError() && flushRound()) {
                // What was sent may have ended something, and the listener begun something else.
            }
        } finally {
            flushing = false;
        }
    }

    private boolean flushRound() {
        boolean any = false;
        while (!cancelledDue.isEmpty() && !halfSent() && credits.tryTake()) {
            control(PacketMessageDescriptor.CANCELLED, cancelledDue.poll(), 0);
            any = true;
        }
        while (exports.due() && credits.tryTake()) {
            exports.encodeDue(message, credits.takeOwed(Short.MAX_VALUE));
            post(request.send(message, 0, PacketMessageDescriptor.LENGTH));
            any = true;
        }
        while (!cancelDue.isEmpty() && credits.tryTake()) {
            PacketTransfer cancelled = cancelDue.poll();
            cancelsUnanswered++;
            control(PacketMessageDescriptor.CANCEL, cancelled.id, 0);
            any = true;
        }
        any |= pushSends();
        any |= advertise();
        if (finishing && !finSent && sends.isEmpty() && cancelledDue.isEmpty() && credits.tryTake()) {
            finSent = true;
            control(PacketMessageDescriptor.FIN, 0, sent);
        }
        if (credits.creditDue() && credits.tryTakeLast()) {
            control(PacketMessageDescriptor.CREDIT, 0, 0);
        }
        return any;
    }

    private boolean advertise() {
        boolean any = false;
        for (PacketTransfer next; live.size() < MAX_ADVERTS && (next = waiting.peek()) != null; any = true) {
            int rest = next.length - next.direct;
            if (finArrived || !staging.hasRoomFor(rest) || !credits.tryTake()) {
                break;
            }
            waiting.poll();
            next.id = nextId;
            nextId = nextId + 1 & ImmediateDescriptor.ID_LIMIT - 1;
            next.staging = staging.take(rest);
            next.stagingEnd = staging.end();
            live.add(next);
            long address = 0;
            int rkey = 0;
            if (next.direct > 0) {
                address = next.registration.remoteAddress(next.memory, next.offset);
                rkey = next.registration.rkey();
            }
            PacketMessageDescriptor.encode(
                    message,
                    0,
                    PacketMessageDescriptor.ADVERT,
                    credits.takeOwed(Short.MAX_VALUE),
                    next.id,
                    next.length);
            PacketMessageDescriptor.memory(message, 0, address, rkey, rest == 0 ? 0 : next.staging, next.direct);
            post(request.send(message, 0, PacketMessageDescriptor.LENGTH));
        }
        return any;
    }

    private boolean pushSends() {
        boolean any = false;
        while (failure == null && !exports.due() && !sends.isEmpty()) {
            PacketTransfer first = sends.peek();
            if (!cancelledDue.isEmpty() && !halfSent()) {
                break;
            }
            if (first.export != 0) {
                Exports.Import to = exports.find(first.export, first.remoteOffset, first.length);
                if (to == null) {
                    sends.poll();
                    listener.ended(first, Ending.NO_EXPORT);
                    any = true;
                    continue;
                }
                if (!write(first, to)) {
                    break;
                }
            } else if (!sendPacket(first)) {
                break;
            }
            sends.poll();
            listener.ended(first, Ending.DONE);
            any = true;
        }
        return any;
    }

    /** {@return whether all of it has been sent} */
    private boolean sendPacket(PacketTransfer packet) {
        if (adverts.isEmpty()) {
            queuePair.awaitPeer();
            return false;
        }
        int placed = Math.min(packet.length, adverts.total());
        int direct = Math.min(placed, adverts.direct());
        boolean whole = placed == packet.length && placed > 0 && (direct == 0 || direct == placed);
        while (packet.moved < placed) {
            int at = packet.moved;
            boolean toDirect = at < direct;
            int length = Math.min((toDirect ? direct : placed) - at, queuePair.sendRoom());
            if (length <= 0) {
                return false;
            }
            long address = toDirect
                    ? adverts.address() + at
                    : endpoint.remoteAddress() + adverts.offset() + (at - adverts.direct());
            int key = toDirect ? adverts.rkey() : endpoint.remoteKey();
            if (whole && length == placed) {
                if (!credits.tryTake()) {
                    return false;
                }
                int immediate = ImmediateDescriptor.encode(
                        ImmediateDescriptor.DIRECT, credits.takeOwed(ImmediateDescriptor.MAX_CREDITS), adverts.id());
                post(request.writeWithImmediate(packet.memory, packet.offset, length, address, key, immediate));
                return packetSent(packet, direct);
            }
            post(request.write(packet.memory, packet.offset + at, length, address, key));
            packet.moved = at + length;
        }
        if (!credits.tryTake()) {
            return false;
        }
        begin(PacketMessageDescriptor.PACKET, adverts.id(), packet.length);
        PacketMessageDescriptor.memory(message, 0, 0, 0, 0, placed);
        post(request.send(message, 0, PacketMessageDescriptor.LENGTH));
        return packetSent(packet, direct);
    }

    private boolean packetSent(PacketTransfer packet, int direct) {
        packet.moved = packet.length;
        packet.movedDirect = direct;
        adverts.removeFirst();
        sent++;
        return true;
    }

    /** {@return whether all of it has been written, and told} */
    private boolean write(PacketTransfer write, Exports.Import to) {
        while (write.moved < write.length) {
            int length = Math.min(write.length - write.moved, queuePair.sendRoom());
            if (length <= 0) {
                return false;
            }
            post(request.write(
                    write.memory,
                    write.offset + write.moved,
                    length,
                    to.address() + write.remoteOffset + write.moved,
                    to.rkey()));
            write.moved += length;
        }
        write.movedDirect = write.length;
        if (!write.notify) {
            return true;
        }
        if (adverts.isEmpty() || !credits.tryTake()) {
            queuePair.awaitPeer();
            return false;
        }
        begin(PacketMessageDescriptor.NOTIFY, adverts.id(), write.remoteOffset);
        PacketMessageDescriptor.memory(message, 0, 0, write.export, 0, write.length);
        post(request.send(message, 0, PacketMessageDescriptor.LENGTH));
        adverts.removeFirst();
        sent++;
        return true;
    }

    private void control(int type, int id, long total) {
        begin(type, id, total);
        post(request.send(message, 0, PacketMessageDescriptor.LENGTH));
    }

    private void begin(int type, int id, long total) {
        PacketMessageDescriptor.encode(message, 0, type, credits.takeOwed(Short.MAX_VALUE), id, total);
    }

    private void post(WorkRequest posted) {
        if (queuePair.postSend(posted) == QueuePair.QUEUE_FULL) {
            failure = "send queue full in spite of room for " + posted.opcode;
        }
    }

    // State.

    /**
     * The connection ends, not by the peer's own orderly close: takes all memory of the program away from the peer, whose
     * threads may be writing. The queue pair is of no use afterwards.
     */
    public void fence() {
        boolean fenced = exports.detachAll();
        for (PacketTransfer each : live) {
            fenced &= each.direct == 0 || endpoint.detach(each.memory, each.offset, each.direct) != null;
        }
        if (!fenced) {
            endpoint.sever();
        }
    }

    /** {@return whether the peer may write to memory of this receive, which is under way} */
    public boolean peerMayWrite(PacketTransfer receive) {
        return receive.direct > 0 && live.contains(receive);
    }

    /** {@return packets and notifications sent so far} */
    public long sentPackets() {
        return sent;
    }

    /** {@return whether anything is to be sent still, the end included} */
    public boolean owesPackets() {
        return !sends.isEmpty();
    }

    /** {@return whether the peer has said that nothing follows} */
    public boolean finArrived() {
        return finArrived;
    }

    /** {@return whether {@link #finish} was called} */
    public boolean finishing() {
        return finishing;
    }

    /** {@return why the connection cannot go on, or null} */
    public String failure() {
        return failure;
    }

    /** {@return the next transfer under way, taken from the engine: the connection is over; null if there is none left} */
    public PacketTransfer takeBack() {
        PacketTransfer next = live.poll();
        next = next != null ? next : waiting.poll();
        next = next != null ? next : sends.poll();
        cancelDue.clear();
        if (next != null) {
            releaseRegistration(next);
        }
        return next;
    }
}
