package org.exsockets.verbs.disni.cm;

import java.io.IOException;
import org.exsockets.verbs.ConnectionContractTest;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DevicePlace;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
class DisniConnectionContractTest extends ConnectionContractTest {
    @Override
    protected Device open() throws IOException {
        return RealDevice.get();
    }

    @Override
    protected DevicePlace place() {
        return new RealDevice.Place();
    }
}
