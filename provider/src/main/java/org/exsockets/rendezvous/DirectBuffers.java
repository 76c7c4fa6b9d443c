package org.exsockets.rendezvous;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.memory.OwnBuffers;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.ProgramAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Places the program's large direct buffers in memory that peers over shared memory can write to ({@code
 * exs.direct.buffers}); otherwise leaves them to the JVM. Thread-safe; throws nothing but errors.
 */
public final class DirectBuffers {
    private final Devices devices;
    private final long minBytes;

    /**
     * Held while the device is opened for the first buffer: direct buffers for the opening itself are not placed. Nor
     * are those of other threads meanwhile, which need not wait.
     */
    private final ReentrantLock opening = new ReentrantLock();

    /** Null until the first buffer, and if the device has no memory for programs. */
    private volatile @Nullable ProgramAllocator allocator;

    /** No buffer is placed from now on. */
    private volatile boolean off;

    /** A refusal has been logged. Two threads may both log one, which is harmless. */
    private volatile boolean refused;

    /** @param minBytes of a buffer that is placed; 0: none is placed */
    DirectBuffers(Devices devices, boolean allowed, int minBytes) {
        this.devices = devices;
        this.minBytes = minBytes;
        this.off = !allowed || minBytes == 0;
    }

    /** {@return whether buffers may be placed} */
    public boolean enabled() {
        return !off;
    }

    /** {@return the address of memory for a direct buffer, with undefined content; 0: the JVM must allocate it} */
    public long allocate(long lengthBytes) {
        if (lengthBytes < minBytes || off || OwnBuffers.allocating()) {
            return 0;
        }
        try {
            ProgramAllocator known = allocator != null ? allocator : open();
            if (known == null) {
                return 0;
            }
            long address = known.allocateAddress(lengthBytes);
            Statistics.jvm().directBufferPlaced();
            return address;
        } catch (IOException | RuntimeException | LinkageError e) {
            Statistics.jvm().directBufferRefused();
            if (!off && !refused) {
                refused = true;
                Log.warn("exs.direct.buffers: a buffer of " + lengthBytes
                        + " bytes is not placed in shared memory (the first one; more are not reported): "
                        + e.getMessage());
            }
            return 0;
        }
    }

    private @Nullable ProgramAllocator open() {
        if (!opening.tryLock()) {
            return null;
        }
        try {
            // Another thread has opened the device, or this one is just doing so.
            if (allocator != null || opening.getHoldCount() > 1) {
                return allocator;
            }
            Device soft = devices.named(Devices.SOFT);
            ProgramAllocator found = soft == null ? null : soft.programAllocator();
            allocator = found;
            // Not if this thread is just opening the device, which asks for a buffer itself.
            off |= found == null && (soft != null || devices.obstacle(Devices.SOFT) != null);
            return found;
        } finally {
            opening.unlock();
        }
    }

    /** {@return whether the address came from {@link #allocate}; its memory is free then} */
    public boolean free(long address) {
        ProgramAllocator known = allocator;
        return known != null && known.freeAddress(address);
    }

    /** The JVM ends. */
    void shutDown() {
        off = true;
    }
}
