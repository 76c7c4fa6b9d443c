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
 *   0                exposed bytes
 *   +----------------+------------+---------------+------------+-------------+-----------+
 *   | exposed        | send ring  | receive slots | send slots | completions | wake word |
 *   | (region 1)     | (region 2, for this end only)                                     |
 *   +----------------+------------+---------------+------------+-------------+-----------+
 * </pre>
 *
 * <p>Region 1 can be written by each peer that knows its key and has a queue pair in the same protection domain. Slots
 * are {@link #SLOT_BYTES} each, and twice as many for receives as there are receives; completions are an array of {@link
 * WcDescriptor}.
 */
public final class ConnectionMemory extends OwnMemory {
    /** Largest message of a SEND, which is this device's own. */
    public static final int SLOT_BYTES = 64;

    /** Largest message of the upper layer. */
    public static final int MESSAGE_BYTES = 48;

    /** Completions taken from the device in one call. */
    public static final int COMPLETION_BATCH = 16;

    private final ConnectionSizes sizes;
    private final IbvMr exposed;
    private final IbvMr local;

    ConnectionMemory(IbvPd domain, ConnectionSizes sizes) throws IOException {
        super(sizes.memoryBytes());
        this.sizes = sizes;
        this.exposed = register(domain, 0, sizes.exposedBytes(), WRITABLE);
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
        return exposedBytes();
    }

    public int receiveSlotOffset(int index) {
        return ringOffset() + ringBytes() + index * SLOT_BYTES;
    }

    public int sendSlotOffset(int index) {
        return receiveSlotOffset(sizes.receiveSlots()) + index * SLOT_BYTES;
    }

    public int completionsOffset() {
        return sendSlotOffset(sendDepth());
    }

    /** {@return where a cache line is, no other's, whose first word a thread sleeps on} */
    public int wakeWordOffset() {
        return completionsOffset() + COMPLETION_BATCH * WcDescriptor.LENGTH;
    }
}
