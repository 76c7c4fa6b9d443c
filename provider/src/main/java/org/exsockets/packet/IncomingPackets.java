package org.exsockets.packet;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.exsockets.memory.CheckedCopy;
import org.exsockets.wire.PacketMessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The direction of a packet connection that this end receives. Each receive is advertised, in order; what arrives is
 * for the oldest one that has not ended.
 *
 * <p>All fields are guarded by the lock of the engine's owner. Threads of the peer write to the memory of receives in
 * {@link #live}, and to their pieces of staging, at any time after the ADVERT. The bytes are there when their message
 * is polled (the device's promise). The peer writes no more after that message, its CANCELLED, its FIN, or {@link
 * #fence}. So a receive leaves {@link #live} only then, and its memory and its piece have no other use before.
 */
final class IncomingPackets {
    private final PacketLink link;
    private final ByteBuffer exposed;
    private final Staging staging;

    /** Receives without ADVERT. */
    private final ArrayDeque<PacketTransfer> waiting = new ArrayDeque<>();

    /** Receives with one; all are older than those of {@link #waiting}. The order is that of the ADVERTs. */
    private final ArrayDeque<PacketTransfer> live = new ArrayDeque<>();

    /** Those of {@link #live} whose CANCEL has not been sent yet. */
    private final ArrayDeque<PacketTransfer> cancelDue = new ArrayDeque<>(0);

    /** CANCELs that the peer has not answered, including those of receives that a packet under way has ended. */
    private int cancelsUnanswered;

    private int nextId;

    /** Packets and notifications that have arrived. */
    private long received;

    private boolean finArrived;

    IncomingPackets(PacketLink link) {
        this.link = link;
        this.exposed = link.endpoint.exposed();
        this.staging = new Staging(exposed.capacity());
    }

    private int maxStagedBytes() {
        return exposed.capacity() / 2;
    }

    boolean finArrived() {
        return finArrived;
    }

    boolean mayBeWritten(PacketTransfer receive) {
        return receive.direct > 0 && live.contains(receive);
    }

    // Beginning and cancelling.

    /** @see PacketEngine#receive */
    void add(PacketTransfer receive) {
        findRegistration(receive);
        if (receive.length - receive.direct > maxStagedBytes()) {
            releaseRegistration(receive);
            throw new IllegalArgumentException("receive: too long for memory that the peer cannot write to: length="
                    + receive.length + ", limit=" + maxStagedBytes() + "; use whole pages of ExsMemory.allocate");
        }
        waiting.add(receive);
        if (finArrived) {
            endAll();
        }
    }

    @SuppressWarnings("NullAway") // A receive has its memory as long as it is not advertised.
    private void findRegistration(PacketTransfer receive) {
        if (link.direct == null || receive.length < link.rules.minDirectBytes()) {
            return;
        }
        receive.registration = link.direct.leaseWhole(receive.memory, receive.offset, receive.length);
        if (receive.registration != null) {
            receive.direct = receive.registration.advertisable(receive.memory, receive.offset, receive.length);
            if (receive.direct == 0) {
                releaseRegistration(receive);
            }
        }
    }

    private static void releaseRegistration(PacketTransfer receive) {
        if (receive.registration != null) {
            receive.registration.release();
            receive.registration = null;
        }
    }

    /** {@return whether it is a receive of this end; without ADVERT it has ended, otherwise it will} */
    boolean cancel(PacketTransfer receive) {
        if (waiting.remove(receive)) {
            end(receive, PacketEnding.CANCELLED);
            return true;
        }
        if (!live.contains(receive)) {
            return false;
        }
        if (!receive.cancelSent && !cancelDue.contains(receive)) {
            cancelDue.add(receive);
        }
        return true;
    }

    // Telling the peer.

    /** {@return whether a CANCEL was sent} */
    boolean flushCancels() {
        boolean any = false;
        while (!cancelDue.isEmpty() && link.credits.tryTake()) {
            PacketTransfer cancelled = cancelDue.poll();
            cancelled.cancelSent = true;
            cancelsUnanswered++;
            link.send(PacketMessageDescriptor.CANCEL, cancelled.id, 0);
            any = true;
            if (!link.rules.awaitsCancelled()) {
                live.remove(cancelled);
                endLive(cancelled, PacketEnding.CANCELLED);
            }
        }
        return any;
    }

    /** {@return whether an ADVERT was sent} */
    boolean advertise() {
        boolean any = false;
        while (live.size() < link.rules.advertLimit() && !waiting.isEmpty()) {
            PacketTransfer next = waiting.peek();
            int rest = next.length - next.direct;
            if (!link.rules.mayAdvertise(staging.hasRoomFor(rest), finArrived) || !link.credits.tryTake()) {
                break;
            }
            waiting.poll();
            advertise(next, rest);
            any = true;
        }
        return any;
    }

    @SuppressWarnings("NullAway") // A receive has its memory until now, and a registration of it if any byte is direct.
    private void advertise(PacketTransfer next, int rest) {
        next.id = nextId;
        nextId = nextId + 1 & link.rules.idLimit() - 1;
        next.stagingFrom = staging.position();
        next.staging = staging.take(rest);
        next.stagingTo = staging.position();
        live.add(next);
        long address = 0;
        int rkey = 0;
        if (next.direct > 0) {
            address = next.registration.remoteAddress(next.memory, next.offset);
            rkey = next.registration.rkey();
        }
        int offset = rest == 0 ? 0 : next.staging;
        link.send(PacketMessageDescriptor.ADVERT, next.id, next.length, address, rkey, offset, next.direct);
    }

    // What arrives.

    void onPacket(int id, long placed, long total) {
        PacketTransfer to = live.peek();
        if (to == null || to.id != id || finArrived) {
            link.violation("packet for a receive that is not the oldest", id);
        } else if (total < 0 || total > Integer.MAX_VALUE || placed != Math.min(total, to.length)) {
            link.violation("packet of impossible length", total);
        } else {
            to.moved = (int) placed;
            to.movedDirect = Math.min(to.moved, to.direct);
            to.packetLength = (int) total;
            received++;
            ByteBuffer memory = to.memory;
            endLive(
                    live.poll(),
                    to.moved <= to.direct || memory == null || copyOut(to, memory)
                            ? PacketEnding.DONE
                            : PacketEnding.MEMORY_FAILED);
        }
    }

    private boolean copyOut(PacketTransfer to, ByteBuffer memory) {
        try {
            CheckedCopy.copy(memory, to.offset + to.direct, exposed, to.staging, to.moved - to.direct);
            return true;
        } catch (RuntimeException fault) {
            to.failure = fault;
            to.moved = to.movedDirect;
            return false;
        }
    }

    /** @param written whether these bytes are in an export of this end */
    void onNotify(int id, int export, long offset, long length, boolean written) {
        PacketTransfer to = live.peek();
        if (to == null || to.id != id || finArrived) {
            link.violation("notification for a receive that is not the oldest", id);
        } else if (!written) {
            link.violation("notification of a write outside of what is exported", export);
        } else {
            to.notifiedExport = export;
            to.notifiedOffset = offset;
            to.notifiedLength = (int) length;
            received++;
            endLive(live.poll(), PacketEnding.DONE);
        }
    }

    void onCancelled(int id) {
        if (--cancelsUnanswered < 0) {
            link.violation("answer to a CANCEL that was not sent", id);
            return;
        }
        for (PacketTransfer each : live) {
            if (each.id == id) {
                if (!each.cancelSent) {
                    link.violation("answer to the CANCEL of another receive", id);
                    return;
                }
                live.remove(each);
                endLive(each, PacketEnding.CANCELLED);
                return;
            }
        }
        // The receive ended before the CANCEL arrived.
    }

    void onFin(long packets) {
        if (finArrived || packets != received) {
            link.violation("end of the packets at the wrong place", packets);
            return;
        }
        finArrived = true;
        endAll();
    }

    // Endings.

    /** Ends a receive that has left {@link #live}, and frees the staging that no receive under way uses. */
    private void endLive(PacketTransfer removed, PacketEnding how) {
        cancelDue.remove(removed);
        long oldest = live.isEmpty() ? staging.position() : live.peek().stagingFrom;
        staging.free(link.rules.freeStaging(oldest, removed.stagingTo));
        end(removed, how);
    }

    private void end(PacketTransfer receive, PacketEnding how) {
        releaseRegistration(receive);
        link.listener.ended(receive, how);
    }

    private void endAll() {
        while (!live.isEmpty()) {
            endLive(live.poll(), PacketEnding.END_OF_STREAM);
        }
        for (PacketTransfer each; (each = waiting.poll()) != null; ) {
            end(each, PacketEnding.END_OF_STREAM);
        }
    }

    /** Takes the memory of all receives away from the peer. */
    @SuppressWarnings("NullAway") // Its owner does not take memory back that the peer may write to: mayBeWritten.
    void fence() {
        for (PacketTransfer each : live) {
            if (each.direct > 0) {
                link.direct.takeAway(each.memory, each.offset, each.direct);
            }
        }
    }

    /** Removes a receive, as the connection has ended. {@return the next one; null if none is left} */
    @Nullable
    PacketTransfer takeBack() {
        PacketTransfer next = live.poll();
        next = next != null ? next : waiting.poll();
        if (next != null) {
            cancelDue.clear();
            releaseRegistration(next);
        }
        return next;
    }
}
