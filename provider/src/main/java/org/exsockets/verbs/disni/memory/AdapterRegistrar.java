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
        return new AdapterRegion(DisniObjects.register(
                domain, address, lengthBytes, IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE));
    }

    private static final class AdapterRegion implements Region {
        private final IbvMr region;
        private final int localKey;
        private final int remoteKey;

        private AdapterRegion(IbvMr region) {
            this.region = region;
            this.localKey = region.getLkey();
            this.remoteKey = region.getRkey();
        }

        @Override
        public int localKey() {
            return localKey;
        }

        @Override
        public int remoteKey() {
            return remoteKey;
        }

        @Override
        public void deregister() throws IOException {
            DisniObjects.deregister(region);
        }
    }
}
