package org.exsockets.verbs.soft;

import java.io.IOException;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceFixture;
import org.junit.jupiter.api.AfterEach;

/** The software device in a memory file system of the test's own. */
abstract class SoftFixture extends DeviceFixture {
    MemoryFileSystem memory;

    @Override
    protected final Device open() throws IOException {
        memory = MemoryFileSystem.create();
        return new SoftDevice(memory.root());
    }

    @AfterEach
    void removeFiles() throws IOException {
        memory.close();
    }
}
