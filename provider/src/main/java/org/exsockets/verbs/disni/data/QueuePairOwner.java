package org.exsockets.verbs.disni.data;

import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.QueuePair;

/** The connection that a queue pair belongs to. {@code toString} names it in the log. */
public interface QueuePairOwner {
    /** Any thread: the peer has no room; {@link DisniQueuePair#probe} follows from time to time, until it is false. */
    void watchPeer();

    /** As {@link QueuePair#keepAlive}. */
    void keepAlive(int idleSeconds);

    /** A harvester: the farewell and everything before it have arrived at the peer, or never will. */
    void farewellCompleted();

    /** As {@link QueuePair#disconnect}. */
    void disconnect(DisconnectReason reason, long lastWord);

    /** As {@link QueuePair#delivered}. */
    boolean delivered();
}
