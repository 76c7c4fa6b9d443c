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
    private long bytesSentDirect;
    private long bytesSentIndirect;
    private long bytesReceivedDirect;
    private long bytesReceivedIndirect;
    private long sendingPhases;
    private long receivingPhases;
    private long cancelledAdverts;
    private long staleAdverts;

    /** Counts bytes written straight into memory the peer advertised. Caller holds the write lock. */
    public void addSentDirect(long bytes) {
        bytesSentDirect += bytes;
    }

    /** Counts bytes copied into the peer's hidden buffer. Caller holds the write lock. */
    public void addSentIndirect(long bytes) {
        bytesSentIndirect += bytes;
    }

    /** Counts bytes that arrived straight in the program's memory. Caller holds the read lock. */
    public void addReceivedDirect(long bytes) {
        bytesReceivedDirect += bytes;
    }

    /** Counts bytes copied out of the hidden buffer. Caller holds the read lock. */
    public void addReceivedIndirect(long bytes) {
        bytesReceivedIndirect += bytes;
    }

    /** Counts a change between direct and indirect bytes of the sending direction. Called by the writer. */
    public void addSendingPhase() {
        sendingPhases++;
    }

    /** Counts a change between direct and indirect bytes of the receiving direction. Called by the poller. */
    public void addReceivingPhase() {
        receivingPhases++;
    }

    /** Counts an ADVERT of this end that was cancelled. Called by the poller. */
    public void addCancelledAdvert() {
        cancelledAdverts++;
    }

    /** Counts an unused ADVERT of the peer. Called by the writer or the poller, which take turns. */
    public void addStaleAdvert() {
        staleAdverts++;
    }

    public long sendingPhases() {
        return sendingPhases;
    }

    public long receivingPhases() {
        return receivingPhases;
    }

    public long cancelledAdverts() {
        return cancelledAdverts;
    }

    public long staleAdverts() {
        return staleAdverts;
    }

    public long bytesSentDirect() {
        return bytesSentDirect;
    }

    public long bytesSentIndirect() {
        return bytesSentIndirect;
    }

    public long bytesReceivedDirect() {
        return bytesReceivedDirect;
    }

    public long bytesReceivedIndirect() {
        return bytesReceivedIndirect;
    }

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
