package org.exsockets.compat.esapi;

import org.exsockets.compat.contract.EsStreamContract;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;

@Tag("soft")
class EsStreamIT extends EsStreamContract {
    @Override
    public Transport transport() {
        return Transport.SOFT;
    }
}
