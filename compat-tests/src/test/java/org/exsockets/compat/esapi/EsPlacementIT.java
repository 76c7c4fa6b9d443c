package org.exsockets.compat.esapi;

import org.exsockets.compat.contract.EsPlacementContract;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;

@Tag("soft")
class EsPlacementIT extends EsPlacementContract {
    @Override
    public Transport transport() {
        return Transport.SOFT;
    }
}
