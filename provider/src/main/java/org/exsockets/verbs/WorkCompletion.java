package org.exsockets.verbs;

/** One completion, filled in by {@link CompletionQueue#poll}; reused by its owner. */
public final class WorkCompletion {
    /** Outcome of a work request; the names are those of {@code ibv_wc_status}. */
    public enum Status {
        SUCCESS,
        /** The message was longer than the receive it landed in. */
        LOC_LEN_ERR,
        /** The peer refused the address, key or length of a write. */
        REM_ACCESS_ERR,
        /** The peer had no receive posted. */
        RNR_RETRY_EXC_ERR,
        /** The peer's device gave no answer, in spite of all retries. */
        RETRY_EXC_ERR,
        /** Anything else that ends the queue pair. */
        FATAL_ERR,
        /** The queue pair was in the error state. */
        WR_FLUSH_ERR
    }

    /** Of the receive, if one was consumed. */
    public long wrId;

    @SuppressWarnings("NullAway.Init") // Filled in by the poll.
    public Status status;

    /** Of a failure that no receive has: what the device tells besides, to be written behind the status; may be empty. */
    public String detail = "";

    /** Valid on success only, as all fields below. */
    @SuppressWarnings("NullAway.Init") // Filled in by the poll.
    public Opcode opcode;

    /** Bytes received or written by the peer. */
    public int byteLength;

    /** For {@link Opcode#RECV_RDMA_WITH_IMM}. */
    public int immediate;
}
