package org.exsockets.verbs;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A send work request, reused: its owner fills it, posts it, and may change it as soon as the post has returned; its
 * payload, too, unless that is sent {@linkplain #from from} the program's own memory. Immediates are plain integers;
 * the device converts to network byte order where its wire wants it. Not for use by two threads at once.
 */
public final class WorkRequest {
    /**
     * Memory of the peer that this end may write to.
     *
     * @param address of its first byte, for {@link #remoteAddress}
     * @param key for {@link #rkey}
     * @param lengthBytes a power of two
     */
    public record RemoteRegion(long address, int key, int lengthBytes) {}

    @SuppressWarnings("NullAway.Init") // Filled in before the post.
    public Opcode opcode;
    /** Source of the payload: heap or direct, position and limit ignored. */
    @SuppressWarnings("NullAway.Init") // Filled in before the post.
    public ByteBuffer source;

    /** First byte of the payload in {@link #source}. */
    public int sourceOffset;

    /** Bytes of payload, ≥ 0. */
    public int lengthBytes;

    /** Target in the peer's exposed memory, for the two write opcodes. */
    public long remoteAddress;

    /** Key of the peer's region that contains {@link #remoteAddress}. */
    public int rkey;

    /** For {@link Opcode#RDMA_WRITE_WITH_IMM}. */
    public int immediate;

    /** Covers the payload of a write, which the device reads where it lies; null: it has taken it after the post. */
    public @Nullable ProgramMemory memory;

    /** The peer handles it even if its program is in no call: see {@link Endpoint#attend} (IBV_SEND_SOLICITED). */
    public boolean solicited;

    /** Fills in a SEND. */
    public WorkRequest send(ByteBuffer message, int offset, int length) {
        opcode = Opcode.SEND;
        return payload(message, offset, length);
    }

    /** Fills in an RDMA write. */
    public WorkRequest write(ByteBuffer bytes, int offset, int length, long address, int key) {
        opcode = Opcode.RDMA_WRITE;
        remoteAddress = address;
        rkey = key;
        return payload(bytes, offset, length);
    }

    /** Fills in an RDMA write with immediate. */
    public WorkRequest writeWithImmediate(
            ByteBuffer bytes, int offset, int length, long address, int key, int immediateData) {
        opcode = Opcode.RDMA_WRITE_WITH_IMM;
        remoteAddress = address;
        rkey = key;
        immediate = immediateData;
        return payload(bytes, offset, length);
    }

    /**
     * Turns the write that has just been filled in into one from the program's own memory. The payload stays unchanged
     * until {@link QueuePair#unfinishedWrites} has fallen to 0.
     *
     * @param registration from {@link DirectAccess#leaseToSend}, covers the payload, and is not released before; null: the
     *     device takes the payload
     */
    public WorkRequest from(@Nullable ProgramMemory registration) {
        memory = registration;
        return this;
    }

    /** Makes the SEND that has just been filled in a solicited one. */
    public WorkRequest soliciting() {
        solicited = true;
        return this;
    }

    private WorkRequest payload(ByteBuffer bytes, int offset, int length) {
        source = bytes;
        sourceOffset = offset;
        lengthBytes = length;
        memory = null;
        solicited = false;
        return this;
    }
}
