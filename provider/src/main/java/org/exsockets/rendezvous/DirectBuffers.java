package org.exsockets.rendezvous;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.memory.OwnBuffers;
import org.exsockets.observe.Log;
import org.exsockets.observe.Statistics;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.ProgramAllocator;

/**
 * Places the program's large direct buffers where peers over shared memory can write to ({@code exs.direct.buffers}).
 * Where that cannot be had, they are allocated as they always were. Thread-safe; never throws.
 */
public final class DirectBuffers {
    private final Devices devices;
    private final long minBytes;

    /**
     * Held while the device is opened for the first buffer: direct buffers that this takes itself are not placed, and
     * neither are those of other threads meanwhile, which need not wait.
     */
    private final ReentrantLock opening = new ReentrantLock();

    /** Null until the first buffer, and if the device has no memory for programs. */
    private volatile ProgramAllocator allocator;

    /** No buffer is placed from now on. */
    private volatile boolean off;

    /** A refusal has been logged; that two threads might both do so is harmless. */
    private volatile boolean refused;

    /** @param minBytes of a buffer that is placed; 0: none is */
    DirectBuffers(Devices devices, boolean allowed, int minBytes) {
        this.devices = devices;
        this.minBytes = minBytes;
        this.off = !allowed || minBytes == 0;
    }

    /** {@return whether buffers may be placed} */
    public boolean enabled() {
        return !off;
    }

    /** {@return the address of memory for a direct buffer, whose content is undefined; 0 if it is to be the JVM's} */
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

    private ProgramAllocator open() {
        if (!opening.tryLock()) {
            return null;
        }
        try {
            // By this thread, on its way here, or by another one.
            if (allocator != null || opening.getHoldCount() > 1) {
                return allocator;
            }
            Device soft = devices.soft();
            ProgramAllocator found = soft == null ? null : soft.programAllocator();
            allocator = found;
            // Without a device that is just being opened by this thread, which asks for a buffer itself.
            off |= found == null && (soft != null || devices.obstacle(Devices.SOFT) != null);
            return found;
        } finally {
            opening.unlock();
        }
    }

    /** {@return whether the address was one of {@link #allocate}; the memory is free then} */
    public boolean free(long address) {
        ProgramAllocator known = allocator;
        return known != null && known.freeAddress(address);
    }

    /** The JVM ends. */
    void shutDown() {
        off = true;
    }
}
