package org.exsockets.verbs.soft.host;

/** A machine of which so many bytes may be taken. */
public final class SpareMemory extends MachineMemory {
    private final long bytes;
    private final boolean isStrict;
    private final long tcpBytes;

    public SpareMemory(long bytes) {
        this(bytes, Long.MAX_VALUE);
    }

    /** @param tcpBytes that TCP's tuning would buffer */
    public SpareMemory(long bytes, long tcpBytes) {
        this.bytes = bytes;
        this.isStrict = false;
        this.tcpBytes = tcpBytes;
    }

    /** @param isStrict whether it looks like one with strict overcommit */
    public SpareMemory(long bytes, boolean isStrict) {
        this.bytes = bytes;
        this.isStrict = isStrict;
        this.tcpBytes = Long.MAX_VALUE;
    }

    @Override
    public long tcpBytes() {
        return tcpBytes;
    }

    @Override
    public long spareBytes() {
        return bytes;
    }

    @Override
    public boolean isStrict() {
        return isStrict;
    }
}
