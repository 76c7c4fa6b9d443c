package org.exsockets.verbs.disni.memory;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import org.exsockets.verbs.disni.DisniObjects;

/** Registers with the protection domain of an adapter, for sending and for the peers' writes. Thread-safe. */
public final class AdapterRegistrar implements RegionRegistrar {
    private final IbvPd domain;

    /** Registers with {@code domain}, which outlives all regions. */
    public AdapterRegistrar(IbvPd domain) {
        this.domain = domain;
    }

    @Override
    public Region register(long address, int lengthBytes) throws IOException {
        IbvMr region = DisniObjects.register(
                domain, address, lengthBytes, IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE);
        return new AdapterRegion(region, region.getLkey(), region.getRkey());
    }

    private record AdapterRegion(IbvMr region, int localKey, int remoteKey) implements Region {
        @Override
        public void deregister() throws IOException {
            DisniObjects.deregister(region);
        }
    }
}
