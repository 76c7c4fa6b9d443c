package org.exsockets.verbs.soft;

import java.io.IOException;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceContractTest;
import org.junit.jupiter.api.AfterEach;

class SoftDeviceContractTest extends DeviceContractTest {
    private MemoryFileSystem memory;

    @Override
    protected Device open() throws IOException {
        memory = MemoryFileSystem.create();
        return new SoftDevice(memory.root());
    }

    @Override
    protected int maxSendBytes() {
        return 48;
    }

    @AfterEach
    void removeFiles() throws IOException {
        memory.close();
    }
}
