package org.exsockets.stream;

import org.exsockets.stream.direct.AdvertQueue;
import org.exsockets.stream.link.Link;
import org.exsockets.stream.link.MessageArrivals;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.MessageDescriptor;

/** Passes what arrives from the peer to the two directions. */
final class Arrivals extends MessageArrivals {
    private final Link link;
    private final Incoming incoming;
    private final Outgoing outgoing;

    Arrivals(Link link, Incoming incoming, Outgoing outgoing) {
        super(link);
        this.link = link;
        this.incoming = incoming;
        this.outgoing = outgoing;
    }

    @Override
    protected void onImmediate(int immediate, int length) {
        int id = ImmediateDescriptor.id(immediate);
        switch (ImmediateDescriptor.kind(immediate)) {
            case ImmediateDescriptor.INDIRECT ->
                incoming.onBytes(
                        id & ImmediateDescriptor.GENERATION_MASK, length, (id & ImmediateDescriptor.WAITED) != 0);
            case ImmediateDescriptor.DIRECT -> incoming.onDirect(id, length);
            default -> link.violation("immediate of unknown kind", immediate);
        }
    }

    @Override
    protected void onMessage(int at) {
        int id = MessageDescriptor.id(messages, at);
        long position = MessageDescriptor.position(messages, at);
        switch (MessageDescriptor.type(messages, at)) {
            case MessageDescriptor.CREDIT -> {}
            case MessageDescriptor.ACK -> outgoing.buffers.onAcknowledged(id, position, outgoing.placed);
            case MessageDescriptor.PLACED -> {
                int waited = MessageDescriptor.flags(messages, at) & MessageDescriptor.FLAG_WAITED;
                incoming.onBytes(id, position, waited != 0);
            }
            case MessageDescriptor.FIN -> incoming.onFin(position);
            case MessageDescriptor.ADVERT, MessageDescriptor.CANCEL -> onAdvertOrCancel(at);
            case MessageDescriptor.CANCELLED -> incoming.onCancelled(id);
            case MessageDescriptor.NEWBUF -> outgoing.buffers.onOffered(messages, at, outgoing.finRequested);
            case MessageDescriptor.SWITCHED -> incoming.onSwitched(id, position);
            case MessageDescriptor.URGENT -> incoming.onUrgent(position);
            default -> link.violation("message of unknown type", MessageDescriptor.type(messages, at));
        }
    }

    private void onAdvertOrCancel(int at) {
        int id = MessageDescriptor.id(messages, at);
        AdvertQueue adverts = outgoing.direct.adverts;
        if (adverts == null) {
            link.violation("ADVERT where neither end reaches memory of the other's program", id);
        } else if (MessageDescriptor.type(messages, at) == MessageDescriptor.ADVERT) {
            adverts.onAdvert(messages, at, outgoing.writtenBytes(), outgoing.finRequested);
        } else {
            adverts.onCancel(id, MessageDescriptor.phase(messages, at));
        }
    }
}
