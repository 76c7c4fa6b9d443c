package org.exsockets.verbs.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
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
public final class ConnectionMemory extends OwnMemory {
    /** Largest message of a SEND. */
    public static final int SLOT_BYTES = 64;

    /** Completions taken from the device in one call. */
    public static final int COMPLETION_BATCH = 16;

    private final ConnectionSizes sizes;
    private final IbvMr exposed;
    private final IbvMr farewell;
    private final IbvMr local;

    ConnectionMemory(IbvPd domain, ConnectionSizes sizes) throws IOException {
        super(sizes.memoryBytes());
        this.sizes = sizes;
        this.exposed = register(domain, 0, sizes.exposedBytes(), WRITABLE);
        this.farewell = register(domain, sizes.exposedBytes(), FarewellDescriptor.LENGTH, WRITABLE);
        this.local = register(domain, ringOffset(), sizes.localBytes(), IbvMr.IBV_ACCESS_LOCAL_WRITE);
    }

    public ConnectionSizes sizes() {
        return sizes;
    }

    /** {@return the memory that the peer may write to, native byte order} */
    public ByteBuffer exposed() {
        return memory.slice(0, exposedBytes()).order(ByteOrder.nativeOrder());
    }

    public int exposedBytes() {
        return sizes.exposedBytes();
    }

    public long exposedAddress() {
        return address;
    }

    public int exposedKey() {
        return exposed.getRkey();
    }

    public long farewellAddress() {
        return address + exposedBytes();
    }

    public int farewellKey() {
        return farewell.getRkey();
    }

    /** {@return the farewell, big-endian} */
    public ByteBuffer farewell() {
        return memory.slice(exposedBytes(), FarewellDescriptor.LENGTH).order(ByteOrder.BIG_ENDIAN);
    }

    public int receiveDepth() {
        return sizes.receiveDepth();
    }

    /** {@return how many send slots there are: a power of two} */
    public int sendDepth() {
        return sizes.sendDepth();
    }

    public int localKey() {
        return local.getLkey();
    }

    public int ringBytes() {
        return sizes.ringBytes();
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
        return exposedBytes() + ConnectionSizes.FAREWELL_BYTES;
    }

    public int receiveSlotOffset(int index) {
        return ringOffset() + ringBytes() + index * SLOT_BYTES;
    }

    public int sendSlotOffset(int index) {
        return receiveSlotOffset(receiveDepth()) + index * SLOT_BYTES;
    }

    public int completionsOffset() {
        return sendSlotOffset(sendDepth());
    }
}
