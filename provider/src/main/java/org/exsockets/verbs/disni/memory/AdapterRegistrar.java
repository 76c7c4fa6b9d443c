package org.exsockets.verbs.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import org.exsockets.verbs.disni.DisniObjects;

/**
 * Registers for sending and for the peers' writes. Thread-safe.
 *
 * @param domain of an adapter; outlives all regions
 */
public record AdapterRegistrar(IbvPd domain) implements RegionRegistrar {
    @Override
    public Region register(long address, int lengthBytes) throws IOException {
        IbvMr region = DisniObjects.register(domain, address, lengthBytes, OwnMemory.WRITABLE);
        return new AdapterRegion(region, region.getLkey(), region.getRkey());
    }

    private record AdapterRegion(IbvMr region, int localKey, int remoteKey) implements Region {
        @Override
        public void deregister() throws IOException {
            DisniObjects.deregister(region);
        }
    }
}
