package org.exsockets.observe;

/**
 * The counters of one EXS connection: bytes, and what direct transfers are made of. Created with the connection, registered with {@link Statistics} and retired
 * when both directions have ended.
 *
 * <p>The fields are plain: each has a single writer at a time, who holds the connection's write lock (sent) or read lock
 * (received) or a role of the stream, so that counting costs an ordinary add on the data path. Reporters read without the lock and
 * may see a value that is slightly old; it is never torn, since only 64-bit JVMs are served. Whoever retires the
 * connection comes after its last transfer through the connection's own locks, so the final totals are exact.
 *
 * <p>It does not refer to its connection; a cleaner of an abandoned connection may therefore hold and retire it.
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

    /** Counts a change between direct and indirect bytes of the sending direction. The writer. */
    public void addSendingPhase() {
        sendingPhases++;
    }

    /** Counts a change between direct and indirect bytes of the receiving direction. The poller. */
    public void addReceivingPhase() {
        receivingPhases++;
    }

    /** Counts an ADVERT of this end that was cancelled. The poller. */
    public void addCancelledAdvert() {
        cancelledAdverts++;
    }

    /** Counts an ADVERT of the peer that was of no use. The writer or the poller, who take turns. */
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

    /** Adds the counters of {@code other} to these; the caller owns both sides of this object. */
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
