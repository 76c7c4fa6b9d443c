package org.exsockets.verbs.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;

/** Memory that a connection exposes beyond what it started with. */
final class RegionMemory extends OwnMemory {
    private final IbvMr region;

    RegionMemory(IbvPd domain, int lengthBytes) throws IOException {
        super(lengthBytes);
        region = register(domain, 0, lengthBytes, WRITABLE);
    }

    int key() {
        return region.getRkey();
    }
}
