package org.exsockets.verbs.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.observe.Log;
import org.exsockets.verbs.disni.DisniObjects;
import org.exsockets.verbs.disni.Verbs;
import org.exsockets.verbs.disni.VerbsException;

/**
 * Memory of one connection, registered with its adapter until the connection is over. The peer's process learns address
 * and key of what it may write to, and may have other queue pairs to this one. So no other connection gets the memory,
 * and each lies where no other has lain ({@link Verbs#allocate}): an adapter may give out a key again.
 */
public abstract class OwnMemory {
    static final int WRITABLE = IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE;

    private static final int MOST_REGIONS = 2;

    final ByteBuffer memory;
    final long address;
    private final List<IbvMr> regions = new ArrayList<>(MOST_REGIONS);

    OwnMemory(long bytes) throws VerbsException {
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
    public final void free() {
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
