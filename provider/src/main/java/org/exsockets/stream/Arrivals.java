package org.exsockets.stream;

import java.nio.ByteBuffer;
import org.exsockets.stream.link.Link;
import org.exsockets.stream.link.MessageCredits;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.MessageDescriptor;

/**
 * What arrives from the peer: takes completions, passes their messages to the two directions, and posts the receives
 * again. Belongs to the poller.
 */
final class Arrivals {
    private final Link link;
    private final MessageCredits credits;
    private final CompletionQueue completions;
    private final Incoming incoming;
    private final Outgoing outgoing;

    /** Receives of each end, and so the most messages of the peer that can be unhandled at any time. */
    private final int depth;

    private final WorkCompletion completion = new WorkCompletion();

    /** Where messages of the peer arrive: a place for each receive, or one for all. */
    private final ByteBuffer receives;

    /** Posts the receives. */
    Arrivals(Link link, Incoming incoming, Outgoing outgoing) {
        this.link = link;
        this.credits = link.credits;
        this.completions = link.queuePair.completionQueue();
        this.incoming = incoming;
        this.outgoing = outgoing;
        this.depth = link.endpoint.receiveDepth();
        int places = link.queuePair.placesWhenPolled() ? 1 : depth;
        this.receives = MessageDescriptor.allocate(places);
        link.postReceives(receives, places);
    }

    /** Handles at most {@link #depth} messages: the peer may send more with the credits it gets meanwhile. */
    boolean handleAll() {
        int messages = 0;
        while (messages < depth && link.failure() == null && completions.poll(completion)) {
            messages++;
            if (completion.status != Status.SUCCESS) {
                link.fail("work completion: status=" + completion.status);
            } else {
                handle();
            }
        }
        return messages > 0;
    }

    private void handle() {
        int index = (int) completion.wrId;
        if (completion.opcode == Opcode.RECV) {
            onMessage(index * MessageDescriptor.LENGTH, completion.byteLength);
        } else {
            onImmediate(completion.immediate, completion.byteLength);
        }
        if (link.failure() == null) {
            postReceive(index);
            if (!credits.onReceiveReposted()) {
                link.violation("message without a credit", depth);
            }
        }
    }

    private void onImmediate(int immediate, int length) {
        onCredits(ImmediateDescriptor.credits(immediate));
        int id = ImmediateDescriptor.id(immediate);
        switch (ImmediateDescriptor.kind(immediate)) {
            case ImmediateDescriptor.INDIRECT ->
                incoming.onBytes(
                        id & ImmediateDescriptor.GENERATION_MASK, length, (id & ImmediateDescriptor.WAITED) != 0);
            case ImmediateDescriptor.DIRECT -> incoming.onDirect(id, length);
            default -> link.violation("immediate of unknown kind", immediate);
        }
    }

    private void onMessage(int offset, int length) {
        if (length != MessageDescriptor.LENGTH) {
            link.violation("message of wrong length", length);
            return;
        }
        onCredits(MessageDescriptor.credits(receives, offset));
        int id = MessageDescriptor.id(receives, offset);
        long position = MessageDescriptor.position(receives, offset);
        switch (MessageDescriptor.type(receives, offset)) {
            case MessageDescriptor.CREDIT -> {}
            case MessageDescriptor.ACK -> outgoing.buffers.onAcknowledged(id, position, outgoing.placed);
            case MessageDescriptor.PLACED -> {
                int waited = MessageDescriptor.flags(receives, offset) & MessageDescriptor.FLAG_WAITED;
                incoming.onBytes(id, position, waited != 0);
            }
            case MessageDescriptor.FIN -> incoming.onFin(position);
            case MessageDescriptor.ADVERT ->
                outgoing.adverts.onAdvert(receives, offset, outgoing.writtenBytes(), outgoing.finRequested);
            case MessageDescriptor.CANCEL -> outgoing.adverts.onCancel(id, MessageDescriptor.phase(receives, offset));
            case MessageDescriptor.CANCELLED -> incoming.onCancelled(id);
            case MessageDescriptor.NEWBUF -> outgoing.buffers.onOffered(receives, offset, outgoing.finRequested);
            case MessageDescriptor.SWITCHED -> incoming.onSwitched(id, position);
            case MessageDescriptor.URGENT -> incoming.onUrgent(position);
            default -> link.violation("message of unknown type", MessageDescriptor.type(receives, offset));
        }
    }

    private void onCredits(int returned) {
        if (!credits.onReturned(returned)) {
            link.violation("more message credits returned than there are", returned);
        }
    }

    private void postReceive(int index) {
        if (!link.queuePair.postReceive(index, receives, index * MessageDescriptor.LENGTH, MessageDescriptor.LENGTH)) {
            throw new IllegalStateException("stream: receive queue full: index=" + index);
        }
    }
}
