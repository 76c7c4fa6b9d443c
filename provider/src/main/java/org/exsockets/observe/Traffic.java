package org.exsockets.observe;

/**
 * The counters of one EXS connection: bytes, phases and ADVERTs. Created with the connection, registered with {@link
 * Statistics} and retired when both directions have ended.
 *
 * <p>The fields are plain, so that counting costs an ordinary add on the data path. Each has one writing thread at a
 * time: the holder of the write lock (sent), of the read lock (received), or of a role of the stream. Reporters read
 * without the lock. They may see a slightly old value, but never a torn one, since only 64-bit JVMs are served. The
 * final totals are exact: the connection's own locks order its last transfer before it is retired.
 *
 * <p>It does not refer to its connection; the cleaner of an abandoned connection can therefore hold and retire it.
 */
public final class Traffic {
    /** Written straight into memory that the peer has advertised. Under the write lock. */
    public long bytesSentDirect;

    /** Copied into the peer's hidden buffer. Under the write lock. */
    public long bytesSentIndirect;

    /** Arrived straight in the program's memory. Under the read lock. */
    public long bytesReceivedDirect;

    /** Copied out of the hidden buffer. Under the read lock. */
    public long bytesReceivedIndirect;

    /** Changes between direct and indirect bytes of the sending direction. The writer's. */
    public long sendingPhases;

    /** Of the receiving direction. The poller's. */
    public long receivingPhases;

    /** ADVERTs of this end that were cancelled. The poller's. */
    public long cancelledAdverts;

    /** Unused ADVERTs of the peer. The writer's or the poller's, which take turns. */
    public long staleAdverts;

    /** Adds the counters of {@code other} to these. Only the caller may write to this object. */
    void add(Traffic other) {
        bytesSentDirect += other.bytesSentDirect;
        bytesSentIndirect += other.bytesSentIndirect;
        bytesReceivedDirect += other.bytesReceivedDirect;
        bytesReceivedIndirect += other.bytesReceivedIndirect;
        sendingPhases += other.sendingPhases;
        receivingPhases += other.receivingPhases;
        cancelledAdverts += other.cancelledAdverts;
        staleAdverts += other.staleAdverts;
    }
}
