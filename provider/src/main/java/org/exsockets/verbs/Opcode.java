package org.exsockets.verbs;

/** What a work request asks for, and what a successful completion reports: always one of the last two. */
public enum Opcode {
    /** Consumes a posted receive of the peer; the payload lands in it. */
    SEND,
    /** Places bytes in an exposed region of the peer, without an event there. */
    RDMA_WRITE,
    /** As {@link #RDMA_WRITE}, then consumes a posted receive of the peer, which gets length and immediate. */
    RDMA_WRITE_WITH_IMM,
    /** Completion of a receive consumed by {@link #SEND}. */
    RECV,
    /** Completion of a receive consumed by {@link #RDMA_WRITE_WITH_IMM}. */
    RECV_RDMA_WITH_IMM
}
