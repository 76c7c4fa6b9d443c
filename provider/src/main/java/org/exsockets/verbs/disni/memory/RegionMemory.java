package org.exsockets.verbs.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.net.InetAddress;

/** Memory that a connection exposes beyond what it started with. */
final class RegionMemory extends PooledMemory {
    private final IbvMr region;

    RegionMemory(IbvPd domain, InetAddress host, int lengthBytes) throws IOException {
        super(host, lengthBytes);
        region = register(domain, 0, lengthBytes, WRITABLE);
    }

    boolean fits(InetAddress forHost, int lengthBytes) {
        return host.equals(forHost) && length() == lengthBytes;
    }

    int key() {
        return region.getRkey();
    }
}
