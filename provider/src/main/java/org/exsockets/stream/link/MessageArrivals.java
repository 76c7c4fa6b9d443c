package org.exsockets.stream.link;

import java.nio.ByteBuffer;
import org.exsockets.verbs.CompletionQueue;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;
import org.exsockets.wire.ImmediateDescriptor;
import org.exsockets.wire.MessageDescriptor;

/**
 * What arrives from the peer, in any protocol: takes completions, passes their messages on, and posts the receives
 * again. Belongs to the poller.
 */
public abstract class MessageArrivals {
    private final EndpointLink link;
    private final CompletionQueue completions;

    /** Receives of each end, and so the most messages of the peer that can be unhandled at any time. */
    private final int depth;

    private final WorkCompletion completion = new WorkCompletion();

    /** Where messages of the peer arrive: a place for each receive, written until it is polled, or one for all. */
    protected final ByteBuffer messages;

    /** Posts the receives, each with the index of its place as its {@code wrId}. */
    protected MessageArrivals(EndpointLink link) {
        this.link = link;
        this.completions = link.queuePair.completionQueue();
        this.depth = link.endpoint.receiveDepth();
        int length = MessageDescriptor.LENGTH;
        int places = link.queuePair.placesWhenPolled() ? 1 : depth;
        this.messages = MessageDescriptor.allocate(places);
        for (int i = 0; i < places; i++) {
            if (!link.queuePair.postReceives(depth / places, i, messages, i * length, length)) {
                throw new IllegalStateException("receive queue full: place=" + i);
            }
        }
    }

    /** A message has arrived, at {@code at} in {@link #messages}. */
    protected abstract void onMessage(int at);

    /** {@code length} bytes have arrived that this immediate announces. */
    protected abstract void onImmediate(int immediate, int length);

    /**
     * Handles what is there, at most {@link #depth} messages: the peer may send more with the credits it gets meanwhile.
     *
     * @return whether there was anything
     */
    public final boolean handleAll() {
        int handled = 0;
        while (handled < depth && link.failure() == null && completions.poll(completion)) {
            handled++;
            if (completion.status != Status.SUCCESS) {
                link.fail("work completion: status=" + completion.status + completion.detail);
            } else {
                handle();
            }
        }
        return handled > 0;
    }

    private void handle() {
        int index = (int) completion.wrId;
        int at = index * MessageDescriptor.LENGTH;
        if (completion.opcode != Opcode.RECV) {
            if (onCredits(ImmediateDescriptor.credits(completion.immediate))) {
                onImmediate(completion.immediate, completion.byteLength);
            }
        } else if (completion.byteLength != MessageDescriptor.LENGTH) {
            link.violation("message of wrong length", completion.byteLength);
        } else if (onCredits(MessageDescriptor.credits(messages, at))) {
            onMessage(at);
        }
        if (link.failure() == null) {
            if (!link.queuePair.postReceive(index, messages, at, MessageDescriptor.LENGTH)) {
                throw new IllegalStateException("receive queue full: index=" + index);
            }
            if (!link.credits.onReceiveReposted()) {
                link.violation("message without a credit", depth);
            }
        }
    }

    private boolean onCredits(int returned) {
        if (link.credits.onReturned(returned)) {
            return true;
        }
        link.violation("more message credits returned than there are", returned);
        return false;
    }
}
