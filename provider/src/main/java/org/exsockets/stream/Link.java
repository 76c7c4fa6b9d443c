package org.exsockets.stream;

import java.nio.ByteBuffer;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkRequest;
import org.exsockets.wire.MessageDescriptor;

/**
 * What both directions of a stream share: the endpoint, its message credits, and what has gone wrong. Any thread; a
 * {@link WorkRequest} belongs to who posts it.
 */
final class Link {
    final Endpoint endpoint;
    final QueuePair queuePair;
    final MessageCredits credits;
    final Rules rules;
    final StreamListener listener;

    /** The first one counts, but for races between roles that find one at the same time: then either will do. */
    private volatile String failure;

    Link(Endpoint endpoint, Rules rules, StreamListener listener) {
        this.endpoint = endpoint;
        this.queuePair = endpoint.queuePair();
        this.rules = rules;
        this.listener = listener;
        this.credits = new MessageCredits(endpoint.receiveDepth(), rules);
    }

    /** Posts a message of the caller's, who has taken a credit for it. {@return whether it was posted} */
    boolean send(WorkRequest request, ByteBuffer message) {
        return post(request.send(message, 0, MessageDescriptor.LENGTH));
    }

    boolean post(WorkRequest request) {
        int posted = queuePair.postSend(request);
        if (posted == QueuePair.QUEUE_FULL) {
            // Never silently: what was counted as sent would be missing at the peer.
            fail("send queue full in spite of room for " + request.opcode);
        }
        return posted == QueuePair.POSTED;
    }

    void violation(String what, long value) {
        fail("protocol violation by the peer: " + what + ": value=" + value);
    }

    void fail(String what) {
        failure = what;
    }

    String failure() {
        return failure;
    }
}
