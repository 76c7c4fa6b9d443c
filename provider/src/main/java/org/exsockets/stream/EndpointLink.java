package org.exsockets.stream;

import java.nio.ByteBuffer;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.QueuePair;
import org.exsockets.verbs.WorkRequest;

/**
 * What all parts of one end of a connection share, whatever its protocol: the endpoint, its message credits, and what has
 * gone wrong. Any thread; a {@link WorkRequest} belongs to who posts it.
 */
public class EndpointLink {
    public final Endpoint endpoint;
    public final QueuePair queuePair;
    public final MessageCredits credits;

    /**
     * Written by whoever finds one, read by all. The first one counts, but for threads that find one at the same time:
     * then either will do.
     */
    private volatile String failure;

    protected EndpointLink(Endpoint endpoint, MessageCredits credits) {
        this.endpoint = endpoint;
        this.queuePair = endpoint.queuePair();
        this.credits = credits;
    }

    /**
     * Posts all receives there may be, with the index of the place of each as its identity.
     *
     * @param memory all of it is places of equal length
     * @param places one for each receive, or one for all
     */
    public void postReceives(ByteBuffer memory, int places) {
        int length = memory.capacity() / places;
        int each = endpoint.receiveDepth() / places;
        for (int i = 0; i < places; i++) {
            if (!queuePair.postReceives(each, i, memory, i * length, length)) {
                throw new IllegalStateException("receive queue full: place=" + i);
            }
        }
    }

    /**
     * Posts a message of the caller's, who has taken a credit for it.
     *
     * @param message all of the buffer
     * @return whether it was posted
     */
    public boolean send(WorkRequest request, ByteBuffer message) {
        return post(request.send(message, 0, message.capacity()));
    }

    /** As {@link #send}, for a message that the peer is to answer whatever its program does. */
    public boolean sendSoliciting(WorkRequest request, ByteBuffer message) {
        return post(request.send(message, 0, message.capacity()).soliciting());
    }

    /** {@return whether it was posted} */
    public boolean post(WorkRequest request) {
        int posted = queuePair.postSend(request);
        if (posted == QueuePair.QUEUE_FULL) {
            // Never silently: what was counted as sent would be missing at the peer.
            fail("send queue full in spite of room for " + request.opcode);
        }
        return posted == QueuePair.POSTED;
    }

    public void violation(String what, long value) {
        fail("protocol violation by the peer: " + what + ": value=" + value);
    }

    public void fail(String what) {
        if (failure == null) {
            failure = what;
        }
    }

    /** {@return why the connection cannot go on, or null} */
    public String failure() {
        return failure;
    }
}
