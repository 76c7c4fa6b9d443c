package org.exsockets.verbs.soft.host;

/** A machine of which so many bytes may be taken. */
public final class SpareMemory extends MachineMemory {
    private final long bytes;
    private final boolean isStrict;

    public SpareMemory(long bytes) {
        this(bytes, false);
    }

    /** @param isStrict whether it looks like one with strict overcommit */
    public SpareMemory(long bytes, boolean isStrict) {
        this.bytes = bytes;
        this.isStrict = isStrict;
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
