package org.exsockets.packet;

import org.exsockets.stream.link.MessageArrivals;
import org.exsockets.verbs.Endpoint;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.MessageDescriptor;
import org.exsockets.wire.PacketMessageDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * One end of a packet connection, both directions, over an established endpoint.
 *
 * <p>Each receive is advertised to the peer, in order; each packet goes to the oldest ADVERT. The peer writes as much
 * of it as the device allows into the program's memory. The rest (all of it, without direct memory) goes into
 * <em>staging</em>, a ring in the exposed memory, and is copied from there. Packets have nowhere else to go, so they
 * wait at the sender for a receive. A packet longer than its receive is cut, and its length reported.
 *
 * <p>CANCEL takes an ADVERT back. The peer completes a packet that it has begun, and answers CANCELLED before it sends
 * anything else. So the packets that arrive are always for the oldest receive that has not ended.
 *
 * <p>Writes to exports of the peer are RDMA writes, in one order with the packets. A write with notification ends the
 * peer's oldest receive by a message behind the write.
 *
 * <p>Not thread-safe: all calls, those of the listener included, are made under the lock of the engine's owner. So
 * nothing here is volatile except the failure that {@link PacketLink} shares with streams. The races are with the peer
 * and its device; see {@link IncomingPackets}, {@link OutgoingPackets} and {@link Exports}.
 */
public final class PacketEngine {
    /** Version of this protocol, from a range of its own: see {@code rendezvous.Protocol}. */
    public static final int VERSION = 65;

    private final PacketLink link;
    private final Exports exports;
    private final IncomingPackets incoming;
    private final OutgoingPackets outgoing;
    private final Arrivals arrivals;

    /** Whether {@link #flush} is running: it also sends what the listener begins meanwhile. */
    private boolean flushing;

    /** Takes over an endpoint that nothing was posted to. */
    public PacketEngine(Endpoint endpoint, PacketListener listener) {
        this(endpoint, listener, PacketRules.PROTOCOL);
    }

    PacketEngine(Endpoint endpoint, PacketListener listener, PacketRules rules) {
        this.link = new PacketLink(endpoint, rules, listener);
        this.exports = new Exports(link);
        this.incoming = new IncomingPackets(link);
        this.outgoing = new OutgoingPackets(link, exports);
        this.arrivals = new Arrivals();
    }

    // Beginning.

    /**
     * Begins a receive.
     *
     * @throws IllegalArgumentException if the peer cannot write to enough of it directly
     */
    public void receive(PacketTransfer transfer) {
        incoming.add(transfer);
        flush();
    }

    /**
     * Begins to send a packet, or to write to an export.
     *
     * @throws IllegalStateException after {@link #finish}
     */
    public void send(PacketTransfer transfer) {
        outgoing.add(transfer);
        flush();
    }

    /**
     * Cancels a receive, send or write. An advertised receive ends later, and a partly sent packet goes on; everything
     * else has ended when this returns. Some bytes of a write may have been written.
     */
    public void cancel(PacketTransfer transfer) {
        if (!incoming.cancel(transfer)) {
            outgoing.cancel(transfer);
        }
        flush();
    }

    /** No more transfers are sent. Idempotent. */
    public void finish() {
        outgoing.finish();
        flush();
    }

    /** {@return the exports of both ends} */
    public Exports exports() {
        return exports;
    }

    // Arrivals.

    /** Handles what has arrived. {@return whether there was anything} */
    public boolean progress() {
        boolean any = arrivals.handleAll();
        if (any || !outgoing.isEmpty()) {
            flush();
        }
        return any;
    }

    private final class Arrivals extends MessageArrivals {
        Arrivals() {
            super(link);
        }

        @Override
        protected void onImmediate(int immediate, int length) {
            if (ImmediateDescriptor.kind(immediate) == ImmediateDescriptor.DIRECT) {
                incoming.onPacket(ImmediateDescriptor.id(immediate), length, length);
            } else {
                link.violation("immediate of unknown kind", immediate);
            }
        }

        @Override
        protected void onMessage(int at) {
            int id = MessageDescriptor.id(messages, at);
            long total = PacketMessageDescriptor.total(messages, at);
            long address = MessageDescriptor.address(messages, at);
            int rkey = MessageDescriptor.rkey(messages, at);
            long length = MessageDescriptor.length(messages, at);
            switch (MessageDescriptor.type(messages, at)) {
                case PacketMessageDescriptor.CREDIT -> {}
                case PacketMessageDescriptor.ADVERT ->
                    outgoing.onAdvert(id, total, address, rkey, PacketMessageDescriptor.offset(messages, at), length);
                case PacketMessageDescriptor.PACKET -> incoming.onPacket(id, length, total);
                case PacketMessageDescriptor.CANCEL -> outgoing.onCancel(id);
                case PacketMessageDescriptor.CANCELLED -> incoming.onCancelled(id);
                case PacketMessageDescriptor.FIN -> incoming.onFin(total);
                case PacketMessageDescriptor.NOTIFY ->
                    incoming.onNotify(id, rkey, total, length, exports.hasLocal(rkey, total, length));
                case PacketMessageDescriptor.EXPORT -> exports.onExport(id, address, rkey, length);
                case PacketMessageDescriptor.UNEXPORT -> exports.onUnexport(id);
                case PacketMessageDescriptor.UNEXPORTED -> exports.onUnexported(id);
                default -> link.violation("message of unknown type", MessageDescriptor.type(messages, at));
            }
        }
    }

    /** The peer has disconnected in order, having sent {@code packets} in all. */
    public void onPeerClosed(long packets) {
        if (link.failure() == null && !incoming.finArrived()) {
            incoming.onFin(packets);
        }
    }

    // Sending what is due.

    /** Sends what is due as far as message credits and ADVERTs allow. */
    public void flush() {
        if (flushing) {
            return; // Called by the listener: the flush that has called it looks again.
        }
        flushing = true;
        try {
            while (link.works() && flushRound()) {
                // Sending may have ended a transfer, and the listener begun another one.
            }
        } finally {
            flushing = false;
        }
    }

    /** {@return whether there may be more to send now} */
    private boolean flushRound() {
        boolean any = outgoing.flushAnswers();
        any |= exports.flush();
        any |= incoming.flushCancels();
        any |= outgoing.flushSends();
        any |= incoming.advertise();
        outgoing.flushFin();
        if (link.credits.creditDue() && link.credits.tryTakeLast()) {
            link.send(PacketMessageDescriptor.CREDIT, 0, 0);
        }
        return any;
    }

    // State.

    /**
     * Takes all memory of the program away from the peer, whose threads may be writing: for a connection that does not
     * end by the peer's own orderly close. The queue pair is of no use afterwards.
     */
    public void fence() {
        if (!link.rules.fences()) {
            return;
        }
        exports.fence();
        incoming.fence();
    }

    /** {@return whether the peer may write to memory of this receive, which is under way} */
    public boolean peerMayWrite(PacketTransfer receive) {
        return incoming.mayBeWritten(receive);
    }

    /** {@return packets and notifications sent so far} */
    public long sentPackets() {
        return outgoing.sent();
    }

    /** {@return whether a packet or write is still to be sent} */
    public boolean owesPackets() {
        return !outgoing.isEmpty();
    }

    /** {@return whether the peer sends no more packets} */
    public boolean finArrived() {
        return incoming.finArrived();
    }

    /** {@return whether {@link #finish} was called} */
    public boolean finishing() {
        return outgoing.finishing();
    }

    /** {@return why the connection cannot go on, or null} */
    public @Nullable String failure() {
        return link.failure();
    }

    /** Removes a transfer, as the connection has ended. {@return the next one under way; null if none is left} */
    public @Nullable PacketTransfer takeBack() {
        PacketTransfer next = incoming.takeBack();
        return next != null ? next : outgoing.takeBack();
    }
}
