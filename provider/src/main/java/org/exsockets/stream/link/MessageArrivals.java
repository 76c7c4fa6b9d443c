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
    /** Most receives that are posted again together: each post is a call of the device. */
    private static final int MOST_AT_ONCE = 16;

    private final EndpointLink link;
    private final CompletionQueue completions;

    /** Receives of each end, and so the most messages of the peer that can be unhandled at any time. */
    private final int depth;

    /**
     * Receives that are posted again together; their credits are owed from then on. At most {@link #depth} less the
     * {@linkplain Rules#creditThreshold threshold}: then a CREDIT is due to a peer that has one credit left, whatever
     * waits here.
     */
    private final int batch;

    /** Receives that were used and have not been posted again. */
    private int used;

    private final WorkCompletion completion = new WorkCompletion();

    /** Where messages of the peer arrive: a place for each receive, written until it is polled, or one for all. */
    protected final ByteBuffer messages;

    /** Posts the receives, each with the index of its place as its {@code wrId}. */
    protected MessageArrivals(EndpointLink link) {
        this.link = link;
        this.completions = link.queuePair.completionQueue();
        this.depth = link.endpoint.receiveDepth();
        int length = MessageDescriptor.LENGTH;
        boolean alike = link.queuePair.placesWhenPolled();
        this.batch = alike ? 1 : Math.max(1, Math.min(MOST_AT_ONCE, depth / 4));
        this.messages = MessageDescriptor.allocate(alike ? 1 : depth);
        if (!link.queuePair.postReceives(depth, 0, messages, 0, length)) {
            throw new IllegalStateException("receive queue full: depth=" + depth);
        }
    }

    /** A message has arrived, at {@code at} in {@link #messages}. */
    protected abstract void onMessage(int at);

    /** {@code length} bytes have arrived that this immediate announces. */
    protected abstract void onImmediate(int immediate, int length);

    /** Looks for what is there, and handles it as {@link #handleFound}. */
    public final boolean handleAll() {
        completions.look();
        return handleFound();
    }

    /**
     * Handles what has been found, at most {@link #depth} messages: the peer may send more with the credits it gets
     * meanwhile.
     *
     * @return whether there was anything
     */
    public final boolean handleFound() {
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
        // They come in the order of their places, so those of a batch lie one behind the other.
        if (link.failure() == null && (++used == batch || index == depth - 1)) {
            postAgain(index - used + 1);
        }
    }

    private void postAgain(int first) {
        int count = used;
        used = 0;
        int length = MessageDescriptor.LENGTH;
        if (!link.queuePair.postReceives(count, first, messages, first * length, length)) {
            throw new IllegalStateException("receive queue full: first=" + first + ", count=" + count);
        }
        if (!link.credits.onReceivesPosted(count)) {
            link.violation("message without a credit", depth);
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
