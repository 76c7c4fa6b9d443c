package org.exsockets.compat.esapi;

import org.exsockets.compat.contract.EventQueueContract;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;

@Tag("soft")
class EventQueueIT extends EventQueueContract {
    @Override
    public Transport transport() {
        return Transport.SOFT;
    }
}
