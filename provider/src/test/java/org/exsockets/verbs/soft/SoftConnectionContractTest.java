package org.exsockets.verbs.soft;

import java.io.IOException;
import org.exsockets.verbs.ConnectionContractTest;
import org.exsockets.verbs.Device;
import org.junit.jupiter.api.AfterEach;

class SoftConnectionContractTest extends ConnectionContractTest {
    private MemoryFileSystem memory;

    @Override
    protected Device open() throws IOException {
        memory = MemoryFileSystem.create();
        return new SoftDevice(memory.root());
    }

    @AfterEach
    void removeFiles() throws IOException {
        memory.close();
    }
}
