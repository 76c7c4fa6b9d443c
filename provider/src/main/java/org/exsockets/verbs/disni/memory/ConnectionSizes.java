package org.exsockets.verbs.disni.memory;

import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.disni.WcDescriptor;

/**
 * What one end of a connection has of an adapter: how deep its queues are, how long the parts of its {@link
 * ConnectionMemory}, and how much locked memory (RLIMIT_MEMLOCK) that takes.
 *
 * @param exposedBytes memory that the peer writes to from the start; a power of two
 * @param receiveDepth receives of this end, and so messages of the peer under way; a power of two, ≥ 4
 */
public record ConnectionSizes(int exposedBytes, int receiveDepth) {
    /** Receives of one end at most. Messages without a credit are merged: more receives only merge fewer. */
    static final int MAX_RECEIVE_DEPTH = 64;

    private static final int MAX_RING_BYTES = 64 << 10;
    private static final int MIN_SEND_DEPTH = 64;
    private static final int SENDS_PER_RECEIVE = 2;

    /** Shares of the send requests: of those that writes take, and of those behind one that asks for a completion. */
    private static final int WRITES = 4;

    private static final int SIGNALS = 8;

    // Of mlx5's queues, as rdma-core's provider computes them.
    private static final int WRITE_SEGMENTS_BYTES = 192;
    private static final int INLINE_BYTES = 4 + 256;
    private static final int INLINE_UNIT = 16;
    private static final int SEND_UNIT = 64;
    private static final int RECEIVE_BYTES = 16;
    private static final int COMPLETION_BYTES = 64;

    /** {@return what a connection over an adapter asks for where a program's connections ask for {@code wanted}} */
    public static EndpointParameters ofAdapters(EndpointParameters wanted) {
        return new EndpointParameters(
                wanted.exposedBytes(),
                wanted.maxExposedBytes(),
                Math.min(MAX_RECEIVE_DEPTH, wanted.receiveDepth()),
                wanted.minVersion(),
                wanted.maxVersion(),
                wanted.trafficClass());
    }

    /** {@return those with the default settings} */
    public static ConnectionSizes usual() {
        return new ConnectionSizes(EndpointParameters.USUAL_EXPOSED_BYTES, MAX_RECEIVE_DEPTH);
    }

    /** {@return send requests a queue pair can have under way: a power of two} */
    public int sendDepth() {
        return sendDepth(receiveDepth);
    }

    /** {@return those of a connection with so many receives} */
    public static int sendDepth(int receiveDepth) {
        return Math.max(MIN_SEND_DEPTH, SENDS_PER_RECEIVE * receiveDepth);
    }

    /**
     * {@return of {@link #sendDepth} what writes may take} The others are for SENDs, which must find one while they have
     * a credit: as many as the peer has receives; those that the peer has given back already, but behind which no request
     * has completed that asked for it; and some of which the acknowledgement is late. One is for the farewell.
     */
    public int writeDepth() {
        return sendDepth() / WRITES;
    }

    /** {@return one of so many requests asks for a completion} */
    public int signalEvery() {
        return sendDepth() / SIGNALS;
    }

    /** {@return receives that are posted: one, of the farewell, more than the peer has credits} */
    public static int receives(int receiveDepth) {
        return receiveDepth + 1;
    }

    /** {@return places of receives, used in turn: a power of two} */
    public int receiveSlots() {
        return 2 * receiveDepth;
    }

    /** {@return entries of the CQ: one more than there are requests, for the receive that no message consumes} */
    public static int completions(int receiveDepth) {
        return sendDepth(receiveDepth) + receives(receiveDepth) + 1;
    }

    /** {@return bytes that writes under way are copied to: twice the largest write, so that one fits beside the last} */
    public int ringBytes() {
        return Math.min(MAX_RING_BYTES, 2 * exposedBytes);
    }

    /** {@return length of the memory, which is registered in two parts} */
    int memoryBytes() {
        return exposedBytes + localBytes();
    }

    /** {@return the length of what only this end uses} */
    int localBytes() {
        return ringBytes()
                + ConnectionMemory.SLOT_BYTES * (receiveSlots() + sendDepth())
                + ConnectionMemory.COMPLETION_BATCH * WcDescriptor.LENGTH
                + ConnectionMemory.SLOT_BYTES; // Of the wake word.
    }

    /**
     * {@return bytes of locked memory that one end takes, until its hidden buffer grows} With the queues of mlx5 (ConnectX),
     * which its driver has in memory of the process, and pinned; soft-RoCE has them in the kernel's.
     *
     * @param pageBytes of the machine: the kernel counts whole pages, for each registration and each queue
     */
    public long lockedBytes(int pageBytes) {
        int sends = sendDepth() * align(WRITE_SEGMENTS_BYTES + align(INLINE_BYTES, INLINE_UNIT), SEND_UNIT);
        return align(exposedBytes, pageBytes)
                + align(localBytes(), pageBytes)
                + align(powerOfTwo(sends) + powerOfTwo(receives(receiveDepth)) * RECEIVE_BYTES, pageBytes)
                + align(powerOfTwo(completions(receiveDepth) + 1) * COMPLETION_BYTES, pageBytes);
    }

    private static int align(int bytes, int unit) {
        return bytes + unit - 1 & -unit;
    }

    private static int powerOfTwo(int least) {
        return least == 1 ? 1 : Integer.highestOneBit(least - 1) << 1;
    }
}
