package org.exsockets.compat.esapi;

import org.exsockets.compat.contract.EsPacketContract;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;

@Tag("soft")
class EsPacketIT extends EsPacketContract {
    @Override
    public Transport transport() {
        return Transport.SOFT;
    }
}
