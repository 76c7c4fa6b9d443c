package org.exsockets.verbs.soft;

import java.io.IOException;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceContractTest;

class SoftDeviceContractTest extends DeviceContractTest {
    @Override
    protected Device open() throws IOException {
        return SoftDevices.open();
    }

    @Override
    protected int maxSendBytes() {
        return 48;
    }
}
