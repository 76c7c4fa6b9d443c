package org.exsockets.packet;

import java.util.ArrayDeque;
import java.util.Iterator;
import org.exsockets.verbs.QueuePair;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.PacketMessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The direction of a packet connection that this end sends: packets, each to the oldest ADVERT, and writes to exports,
 * in one order.
 *
 * <p>All fields are guarded by the lock of the engine's owner. The device has taken the bytes of each piece when the
 * post returns, so memory of a send is only read within calls. The peer sees the posts of this end in their order: the
 * pieces of a packet before its message; a CANCELLED behind the message of a partly sent packet, and before the next
 * packet; FIN behind everything.
 */
final class OutgoingPackets {
    private final PacketLink link;
    private final QueuePair queuePair;
    private final Exports exports;

    /** Packets and writes; the first one may be partly sent ({@link PacketTransfer#moved}). */
    private final ArrayDeque<PacketTransfer> sends = new ArrayDeque<>();

    /** An ADVERT of the peer. */
    private static final class Advert {
        int id;

        /** Bytes that it takes. */
        int total;

        /** Bytes of those that lie at {@link #address}. */
        int direct;

        long address;
        int rkey;

        /** Where the other bytes lie in the peer's exposed memory. */
        int offset;
    }

    /** Not used yet, in their order. A partly sent packet goes to the first one, cancelled or not. */
    private final ArrayDeque<Advert> adverts = new ArrayDeque<>();

    /** Objects for further ADVERTs. */
    private final ArrayDeque<Advert> spare = new ArrayDeque<>();

    /** Most ADVERTs that the peer may have out at a time. */
    private final int advertLimit;

    /** Ids of CANCELs that have not been answered, in the order of their arrival. */
    private final ArrayDeque<Integer> cancelledDue = new ArrayDeque<>(0);

    /** Packets and notifications. */
    private long sent;

    /** Nothing is added to {@link #sends} any more. */
    private boolean finishing;

    private boolean finSent;

    OutgoingPackets(PacketLink link, Exports exports) {
        this.link = link;
        this.queuePair = link.queuePair;
        this.exports = exports;
        this.advertLimit = link.rules.advertLimit();
    }

    long sent() {
        return sent;
    }

    boolean isEmpty() {
        return sends.isEmpty();
    }

    boolean finishing() {
        return finishing;
    }

    void add(PacketTransfer send) {
        if (finishing) {
            throw new IllegalStateException("packets: sent behind the end: sent=" + sent);
        }
        sends.add(send);
    }

    /** A partly sent packet goes on: the peer is owed the rest. The peer knows nothing of a partly done write. */
    void cancel(PacketTransfer send) {
        if ((send.moved == 0 || send.export != 0 || send != sends.peek()) && sends.remove(send)) {
            link.listener.ended(send, PacketEnding.CANCELLED);
        }
    }

    void finish() {
        finishing = true;
    }

    // What arrives.

    void onAdvert(int id, long total, long address, int rkey, int offset, long direct) {
        if (id < 0 || id >= link.rules.idLimit() || adverts.size() == advertLimit) {
            link.violation("ADVERT with an impossible id, or one too many", id);
        } else if (total < 0 || total > Integer.MAX_VALUE || direct < 0 || direct > total) {
            link.violation("ADVERT of impossible length", total);
        } else if (offset < 0 || total - direct > link.remote.lengthBytes() - (long) offset) {
            link.violation("ADVERT beyond what is exposed", offset);
        } else if (finSent) {
            return; // It will never be used.
        } else if (direct > 0 && (link.direct == null || !link.direct.reach(address, rkey, direct))) {
            link.fail("memory that the peer has advertised cannot be written to from here: length=" + direct);
        } else {
            Advert added = spare.isEmpty() ? new Advert() : spare.pop();
            added.id = id;
            added.total = (int) total;
            added.direct = (int) direct;
            added.address = address;
            added.rkey = rkey;
            added.offset = offset;
            adverts.add(added);
        }
    }

    /**
     * At most twice as many CANCELs as ADVERTs are unanswered: for receives that are under way at the peer, and for
     * receives that were under way when the first CANCEL was sent, but that packets have ended since. No packet has
     * begun since that CANCEL came.
     */
    void onCancel(int id) {
        if (id < 0 || id >= link.rules.idLimit() || cancelledDue.size() == 2 * advertLimit) {
            link.violation("CANCEL of an impossible id, or more of them than ADVERTs", id);
            return;
        }
        Advert first = adverts.peek();
        boolean begun = first != null && first.id == id && halfSent();
        if (link.rules.dropsCancelled(begun)) {
            removeAdvert(id);
        }
        cancelledDue.add(id);
    }

    private void removeAdvert(int id) {
        for (Iterator<Advert> all = adverts.iterator(); all.hasNext(); ) {
            Advert each = all.next();
            if (each.id == id) {
                all.remove();
                spare.push(each);
                return;
            }
        }
    }

    private void removeFirstAdvert() {
        spare.push(adverts.remove());
    }

    // Sending.

    /** {@return whether a packet has been partly written to the oldest ADVERT, and its message not sent yet} */
    private boolean halfSent() {
        PacketTransfer first = sends.peek();
        return first != null && first.export == 0 && first.moved > 0;
    }

    /** {@return whether a CANCELLED was sent} */
    boolean flushAnswers() {
        boolean any = false;
        while (!cancelledDue.isEmpty() && link.rules.mayAnswer(halfSent()) && link.credits.tryTake()) {
            link.send(PacketMessageDescriptor.CANCELLED, cancelledDue.poll(), 0);
            any = true;
        }
        return any;
    }

    /** {@return whether anything has ended} */
    boolean flushSends() {
        boolean any = false;
        while (link.works() && !exports.due() && !sends.isEmpty()) {
            PacketTransfer first = sends.peek();
            if (!halfSent() && !link.rules.mayBegin(!cancelledDue.isEmpty())) {
                break;
            }
            PacketEnding how = first.export == 0 ? sendPacket(first) : write(first);
            if (how == null) {
                break;
            }
            sends.poll();
            link.listener.ended(first, how);
            any = true;
        }
        if (!sends.isEmpty()) {
            queuePair.awaitPeer();
        }
        return any;
    }

    /** {@return how it has ended; null if it has not} */
    @SuppressWarnings("NullAway") // Only a receive can lose its memory.
    private @Nullable PacketEnding sendPacket(PacketTransfer packet) {
        Advert to = adverts.peek();
        if (to == null) {
            return null;
        }
        int placed = link.rules.placedBytes(packet.length, to.total);
        int direct = Math.min(placed, to.direct);
        boolean whole = placed == packet.length && placed > 0 && (direct == 0 || direct == placed);
        while (packet.moved < placed) {
            int at = packet.moved;
            boolean toDirect = at < direct;
            int length = Math.min((toDirect ? direct : placed) - at, queuePair.sendRoom());
            if (length <= 0) {
                return null;
            }
            long address = toDirect ? to.address + at : link.remote.address() + to.offset + (at - to.direct);
            int key = toDirect ? to.rkey : link.remote.key();
            if (whole && length == placed) {
                return sendWhole(packet, to, length, address, key, direct);
            }
            if (!isPlaced(packet, packet.offset + at, length, address, key)) {
                return packetFailed(packet, to);
            }
            packet.moved = at + length;
        }
        if (!link.credits.tryTake()) {
            return null;
        }
        link.send(PacketMessageDescriptor.PACKET, to.id, packet.length, 0, 0, 0, placed);
        return packetSent(packet, direct);
    }

    /** Sends a packet in one piece that carries the message. */
    @SuppressWarnings("NullAway") // Only a receive can lose its memory.
    private @Nullable PacketEnding sendWhole(
            PacketTransfer packet, Advert to, int length, long address, int key, int direct) {
        int credits = link.credits.takeWithOwed(ImmediateDescriptor.MAX_CREDITS);
        if (credits < 0) {
            return null;
        }
        int immediate = ImmediateDescriptor.encode(ImmediateDescriptor.DIRECT, credits, to.id);
        try {
            check(queuePair.writeWithImmediate(
                    packet.memory, packet.offset, length, address, key, null, immediate, false));
        } catch (RuntimeException fault) {
            packet.failure = fault;
            link.credits.untake(credits);
            return packetFailed(packet, to);
        }
        return packetSent(packet, direct);
    }

    /** Posts a write. {@return whether the bytes could be copied; if not, nothing was published} */
    @SuppressWarnings("NullAway") // Only a receive can lose its memory.
    private boolean isPlaced(PacketTransfer of, int offset, int length, long address, int key) {
        try {
            check(queuePair.write(of.memory, offset, length, address, key, null));
            return true;
        } catch (RuntimeException fault) {
            of.failure = fault;
            return false;
        }
    }

    private void check(int answer) {
        if (answer != QueuePair.POSTED) {
            link.onRefused(answer);
        }
    }

    /** The peer knows nothing of a packet without its message: the next one uses the ADVERT unless it was cancelled. */
    private PacketEnding packetFailed(PacketTransfer packet, Advert to) {
        packet.moved = 0;
        if (cancelledDue.contains(to.id)) {
            removeFirstAdvert();
        }
        return PacketEnding.MEMORY_FAILED;
    }

    private PacketEnding packetSent(PacketTransfer packet, int direct) {
        packet.moved = packet.length;
        packet.movedDirect = direct;
        removeFirstAdvert();
        sent++;
        return PacketEnding.DONE;
    }

    /** {@return how it has ended; null if it has not} */
    @SuppressWarnings("NullAway") // Only a receive can lose its memory.
    private @Nullable PacketEnding write(PacketTransfer write) {
        Exports.Import to = exports.find(write.export, write.remoteOffset, write.length);
        if (to == null) {
            return PacketEnding.NO_EXPORT;
        }
        while (write.moved < write.length && !(write.notify && link.rules.mayNotify(write.moved, write.length))) {
            int length = Math.min(write.length - write.moved, queuePair.sendRoom());
            if (length <= 0) {
                return null;
            }
            long address = to.address() + write.remoteOffset + write.moved;
            if (!isPlaced(write, write.offset + write.moved, length, address, to.rkey())) {
                return PacketEnding.MEMORY_FAILED;
            }
            write.moved += length;
        }
        write.movedDirect = write.moved;
        if (write.notify) {
            Advert taken = adverts.peek();
            if (taken == null || !link.credits.tryTake()) {
                return null;
            }
            link.send(PacketMessageDescriptor.NOTIFY, taken.id, write.remoteOffset, 0, write.export, 0, write.length);
            if (link.rules.notificationTakesAdvert()) {
                removeFirstAdvert();
            }
            sent++;
        }
        return PacketEnding.DONE;
    }

    /** Sends the FIN if nothing is left to be sent before it. */
    void flushFin() {
        if (finishing
                && !finSent
                && link.rules.mayFinish(sends.isEmpty(), !cancelledDue.isEmpty())
                && link.credits.tryTake()) {
            finSent = true;
            link.send(PacketMessageDescriptor.FIN, 0, sent);
        }
    }

    /** Removes a send, as the connection has ended. {@return the next one; null if none is left} */
    @Nullable
    PacketTransfer takeBack() {
        return sends.poll();
    }
}
