package org.exsockets.compat.esapi;

import org.exsockets.compat.contract.EsStoppedPeerContract;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;

@Tag("soft")
class EsStoppedPeerIT extends EsStoppedPeerContract {
    @Override
    public Transport transport() {
        return Transport.SOFT;
    }
}
