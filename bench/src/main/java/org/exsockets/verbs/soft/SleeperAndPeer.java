package org.exsockets.verbs.soft;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.memory.Words;

/**
 * The handshake of a sign in memory of this JVM: a thread that goes to sleep and wakes up, a peer's process that publishes an
 * arrival and may give an event. For stress tests.
 */
public final class SleeperAndPeer {
    private static final int ARRIVAL_OFFSET = SleepSignDescriptor.SIGN_LENGTH;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(2 * SleepSignDescriptor.SIGN_LENGTH).order(ByteOrder.nativeOrder());
    private final SleepSigns.Sign sign = new SleepSigns.Sign(null, memory, 0);
    private final MappedSigns peers = new MappedSigns(memory);

    /** The peer. {@return whether it gives an event} */
    public boolean publish() {
        Words.intRelease(memory, ARRIVAL_OFFSET, 1);
        Words.storeLoadFence();
        return end();
    }

    /** The peer, for another queue of the sleeper. {@return whether it gives an event} */
    public boolean end() {
        long sleep = peers.sleep(0);
        if (sleep != 0) {
            peers.end(0, sleep);
        }
        return sleep != 0;
    }

    /** The sleeper. {@return whether the arrival is there, so that it does not sleep} */
    public boolean fallAsleep() {
        sign.asleep();
        return hasArrived();
    }

    /** The sleeper. {@return whether the arrival is there} */
    public boolean wakeUp() {
        sign.awake();
        return hasArrived();
    }

    private boolean hasArrived() {
        return Words.intAcquire(memory, ARRIVAL_OFFSET) != 0;
    }
}
