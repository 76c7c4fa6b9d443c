package org.exsockets.verbs.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.exsockets.observe.Log;
import org.exsockets.verbs.disni.DisniObjects;
import org.exsockets.verbs.disni.Verbs;

/**
 * Memory that a connection exposes beyond what it started with. Registered once, and used by one connection after the
 * other, all with the same host, as queue pairs of that host may know the key.
 */
final class RegionMemory implements PooledMemory {
    private final InetAddress host;
    final ByteBuffer memory;
    final long address;
    private final IbvMr region;

    /** @throws IOException if the limit of locked memory or the device forbids it; nothing is left behind */
    RegionMemory(IbvPd domain, InetAddress host, int lengthBytes) throws IOException {
        this.host = host;
        this.memory = Verbs.allocate(lengthBytes).order(ByteOrder.nativeOrder());
        this.address = Verbs.address(memory);
        try {
            region = DisniObjects.register(
                    domain, address, lengthBytes, IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE);
        } catch (IOException | RuntimeException | Error e) {
            Verbs.free(memory);
            throw e;
        }
    }

    boolean fits(InetAddress forHost, int lengthBytes) {
        return host.equals(forHost) && memory.capacity() == lengthBytes;
    }

    @Override
    public int length() {
        return memory.capacity();
    }

    int key() {
        return region.getRkey();
    }

    @Override
    public void free() {
        try {
            DisniObjects.deregister(region);
            Verbs.free(memory);
        } catch (IOException e) {
            // The memory may still be registered: it is not used again.
            Log.warn("free a region: " + e.getMessage());
        }
    }
}
