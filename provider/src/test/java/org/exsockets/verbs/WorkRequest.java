package org.exsockets.verbs;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A request to a queue pair that tests can change before they post it, or pass on. */
public final class WorkRequest {
    /** Which method of the queue pair it is for. */
    public enum Opcode {
        SEND,
        RDMA_WRITE,
        RDMA_WRITE_WITH_IMM
    }

    /** {@return what the queue pair answers} */
    public int postTo(QueuePair queuePair) {
        return switch (opcode) {
            case SEND -> queuePair.send(source, sourceOffset, lengthBytes, solicited);
            case RDMA_WRITE -> queuePair.write(source, sourceOffset, lengthBytes, remoteAddress, rkey, memory);
            case RDMA_WRITE_WITH_IMM ->
                queuePair.writeWithImmediate(
                        source, sourceOffset, lengthBytes, remoteAddress, rkey, memory, immediate, solicited);
        };
    }

    public Opcode opcode;
    /** Source of the payload: heap or direct, position and limit ignored. */
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
