package org.exsockets.stream.link;

import java.nio.ByteBuffer;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.QueuePair;
import org.jspecify.annotations.Nullable;

/**
 * What all parts of one end of a connection share, in any protocol: the endpoint, its message credits, and the failure.
 * Any thread.
 */
public class EndpointLink {
    public final Endpoint endpoint;
    public final QueuePair queuePair;
    public final MessageCredits credits;

    /** Any thread writes and reads it. The first failure is kept; of two at the same time, either is. */
    private volatile @Nullable String failure;

    protected EndpointLink(Endpoint endpoint, MessageCredits credits) {
        this.endpoint = endpoint;
        this.queuePair = endpoint.queuePair();
        this.credits = credits;
    }

    /**
     * Posts a message for which the caller has taken a credit.
     *
     * @param message all of the buffer
     * @param solicited the peer must answer even if its program is in no call
     * @return whether it was posted
     */
    public boolean send(ByteBuffer message, boolean solicited) {
        int answer = queuePair.send(message, 0, message.capacity(), solicited);
        if (answer != QueuePair.POSTED) {
            onRefused(answer);
        }
        return answer == QueuePair.POSTED;
    }

    /** The queue pair has not posted a request, and says why by its {@code answer}. */
    public void onRefused(int answer) {
        if (answer == QueuePair.QUEUE_FULL) {
            // Not ignored: bytes that were counted as sent would be missing at the peer.
            fail("send queue full in spite of room");
        }
    }

    /** The peer has broken the protocol: the connection fails. */
    public void violation(String what, long value) {
        fail("protocol violation by the peer: " + what + ": value=" + value);
    }

    /** The connection fails; the first reason is kept. */
    public void fail(String what) {
        if (failure == null) {
            failure = what;
        }
    }

    /** {@return why the connection cannot go on, or null} */
    public @Nullable String failure() {
        return failure;
    }
}
