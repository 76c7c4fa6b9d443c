package org.exsockets.compat.esapi;

import org.exsockets.compat.contract.EventQueueContract;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;

/** Both ends under the agent, where nothing but TCP leads from one to the other. */
@Tag("tcp")
class EventQueueOverTcpIT extends EventQueueContract {
    @Override
    public Transport transport() {
        return Transport.TCP;
    }
}
