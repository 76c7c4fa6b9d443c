package org.exsockets.compat.esapi;

import org.exsockets.compat.contract.EsDirectContract;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;

/** Both ends under the agent, where nothing but TCP leads from one to the other. */
@Tag("tcp")
class EsDirectOverTcpIT extends EsDirectContract {
    @Override
    public Transport transport() {
        return Transport.TCP;
    }
}
