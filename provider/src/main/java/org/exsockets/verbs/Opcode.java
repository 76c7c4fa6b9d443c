package org.exsockets.verbs;

/** What a successful completion reports. */
public enum Opcode {
    /** A receive was consumed by a {@link QueuePair#send}. */
    RECV,
    /** A receive was consumed by a {@link QueuePair#writeWithImmediate}. */
    RECV_RDMA_WITH_IMM
}
