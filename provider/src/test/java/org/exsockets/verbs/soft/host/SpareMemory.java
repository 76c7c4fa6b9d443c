package org.exsockets.verbs.soft.host;

/** A machine of which so many bytes may be taken. */
public final class SpareMemory extends MachineMemory {
    private final long bytes;

    public SpareMemory(long bytes) {
        this.bytes = bytes;
    }

    @Override
    public long spareBytes() {
        return bytes;
    }
}
