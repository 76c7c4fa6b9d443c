package org.exsockets.verbs.disni.cm;

import java.io.IOException;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceContractTest;
import org.exsockets.verbs.DevicePlace;
import org.exsockets.verbs.disni.memory.ConnectionMemory;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
class DisniDeviceContractTest extends DeviceContractTest {
    @Override
    protected Device open() throws IOException {
        return RealDevice.get();
    }

    @Override
    protected DevicePlace place() {
        return new RealDevice.Place();
    }

    @Override
    protected int maxSendBytes() {
        return ConnectionMemory.SLOT_BYTES;
    }
}
