package org.exsockets.verbs.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.verbs.disni.WcDescriptor;

/**
 * The memory of one end of a connection:
 *
 * <pre>
 *   0                exposed bytes      + 4096
 *   +----------------+------------------+------------+---------------+------------+----------------+
 *   | exposed        | farewell         | send ring  | receive slots | send slots | completions    |
 *   | (region 1)     | (region 2)       | (region 3, for this end only)                            |
 *   +----------------+------------------+------------+---------------+------------+----------------+
 * </pre>
 *
 * <p>Regions 1 and 2 can be written by each peer that knows their keys and has a queue pair in the same protection
 * domain. The farewell is a {@link FarewellDescriptor}; slots are {@link #SLOT_BYTES} each; completions are an array of
 * {@link WcDescriptor}.
 */
public final class ConnectionMemory extends PooledMemory {
    /** Largest message of a SEND. */
    public static final int SLOT_BYTES = 64;

    /** Completions taken from the device in one call. */
    public static final int COMPLETION_BATCH = 16;

    private static final int PAGE_BYTES = 4096;
    private static final int MAX_RING_BYTES = 256 << 10;
    private static final int MIN_SEND_DEPTH = 64;
    private static final int SENDS_PER_RECEIVE = 4;

    private final int exposedBytes;
    private final int receiveDepth;
    private final IbvMr exposed;
    private final IbvMr farewell;
    private final IbvMr local;

    ConnectionMemory(IbvPd domain, InetAddress host, int exposedBytes, int receiveDepth) throws IOException {
        super(host, totalBytes(exposedBytes, receiveDepth));
        this.exposedBytes = exposedBytes;
        this.receiveDepth = receiveDepth;
        int ring = exposedBytes + PAGE_BYTES;
        this.exposed = register(domain, 0, exposedBytes, WRITABLE);
        this.farewell = register(domain, exposedBytes, FarewellDescriptor.LENGTH, WRITABLE);
        this.local = register(domain, ring, length() - ring, IbvMr.IBV_ACCESS_LOCAL_WRITE);
    }

    /** {@return the bytes that one connection locks, unless its hidden buffer has grown} */
    public static long totalBytes(int exposedBytes, int receiveDepth) {
        return exposedBytes
                + PAGE_BYTES
                + ringBytes(exposedBytes)
                + (long) SLOT_BYTES * (receiveDepth + sendDepth(receiveDepth))
                + COMPLETION_BATCH * WcDescriptor.LENGTH;
    }

    /** Twice the largest write, so that one fits behind or before the bytes under way. */
    private static int ringBytes(int exposedBytes) {
        return Math.min(MAX_RING_BYTES, 2 * exposedBytes);
    }

    /** {@return send requests a queue pair can have under way: a power of two} */
    public static int sendDepth(int receiveDepth) {
        return Math.max(MIN_SEND_DEPTH, SENDS_PER_RECEIVE * receiveDepth);
    }

    boolean fits(InetAddress forHost, int exposedLength, int depth) {
        return host.equals(forHost) && exposedBytes == exposedLength && receiveDepth == depth;
    }

    void clearFarewell() {
        memory.putLong(exposedBytes, 0).putLong(exposedBytes + Long.BYTES, 0);
    }

    /** {@return the memory that the peer may write to, native byte order} */
    public ByteBuffer exposed() {
        return memory.slice(0, exposedBytes).order(ByteOrder.nativeOrder());
    }

    public int exposedBytes() {
        return exposedBytes;
    }

    public long exposedAddress() {
        return address;
    }

    public int exposedKey() {
        return exposed.getRkey();
    }

    public long farewellAddress() {
        return address + exposedBytes;
    }

    public int farewellKey() {
        return farewell.getRkey();
    }

    /** {@return the farewell, big-endian} */
    public ByteBuffer farewell() {
        return memory.slice(exposedBytes, FarewellDescriptor.LENGTH).order(ByteOrder.BIG_ENDIAN);
    }

    public int receiveDepth() {
        return receiveDepth;
    }

    /** {@return how many send slots there are: a power of two} */
    public int sendDepth() {
        return sendDepth(receiveDepth);
    }

    public int localKey() {
        return local.getLkey();
    }

    public int ringBytes() {
        return ringBytes(exposedBytes);
    }

    /** {@return the whole memory, native byte order; the offsets below are into it} */
    public ByteBuffer whole() {
        return memory;
    }

    /** {@return the native address of the byte at {@code offset}} */
    public long addressOf(int offset) {
        return address + offset;
    }

    public int ringOffset() {
        return exposedBytes + PAGE_BYTES;
    }

    public int receiveSlotOffset(int index) {
        return ringOffset() + ringBytes() + index * SLOT_BYTES;
    }

    public int sendSlotOffset(int index) {
        return receiveSlotOffset(receiveDepth) + index * SLOT_BYTES;
    }

    public int completionsOffset() {
        return sendSlotOffset(sendDepth());
    }
}
