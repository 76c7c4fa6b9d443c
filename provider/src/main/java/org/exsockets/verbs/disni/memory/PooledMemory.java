package org.exsockets.verbs.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.observe.Log;
import org.exsockets.verbs.disni.DisniObjects;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;

/**
 * Memory that is registered once and used by one connection after the other, all with the same host, as queue pairs of
 * that host may know the keys. In between it waits in the pool.
 */
public abstract class PooledMemory {
    static final int WRITABLE = IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE;

    private static final int MOST_REGIONS = 3;

    final InetAddress host;
    final ByteBuffer memory;
    final long address;
    private final List<IbvMr> regions = new ArrayList<>(MOST_REGIONS);

    PooledMemory(InetAddress host, long bytes) throws VerbsException {
        this.host = host;
        this.memory = Verbs.allocate(bytes).order(ByteOrder.nativeOrder());
        this.address = Verbs.address(memory);
    }

    /**
     * Registers a part of it, for the constructor.
     *
     * @throws IOException if the limit of locked memory or the device forbids it; nothing is left behind
     */
    final IbvMr register(IbvPd domain, int offset, int lengthBytes, int access) throws IOException {
        try {
            IbvMr region = DisniObjects.register(domain, address + offset, lengthBytes, access);
            regions.add(region);
            return region;
        } catch (IOException | RuntimeException | Error e) {
            free(); // DiSNI's calls need memory outside the heap: an Error is possible, too.
            throw e;
        }
    }

    /** {@return the approximate number of locked bytes} */
    final int length() {
        return memory.capacity();
    }

    /** Deregisters and frees; the device must not use the memory any more. */
    final void free() {
        try {
            for (IbvMr region : regions) {
                DisniObjects.deregister(region);
            }
        } catch (IOException e) {
            // Still registered: if it were freed, the device could write to memory of another owner.
            Log.warn("deregister memory: " + e.getMessage());
            return;
        }
        try {
            Verbs.free(memory);
        } catch (VerbsException e) {
            Log.warn("free memory: " + e.getMessage());
        }
    }
}
