package org.exsockets.compat.esapi;

import org.exsockets.compat.contract.EsDirectContract;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;

@Tag("soft")
class EsDirectIT extends EsDirectContract {
    @Override
    public Transport transport() {
        return Transport.SOFT;
    }
}
