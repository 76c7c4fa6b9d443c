package org.exsockets.verbs.soft;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.FaultContractTest;
import org.junit.jupiter.api.AfterEach;

class SoftFaultContractTest extends FaultContractTest {
    private MemoryFileSystem memory;

    @Override
    protected Device open() throws IOException {
        memory = MemoryFileSystem.create();
        return new SoftDevice(memory.root());
    }

    /** Segments are kept for later connections; the sockets that are their doorbells are not. */
    @Override
    protected long resources() throws IOException {
        long sockets = 0;
        for (File descriptor : new File("/proc/self/fd").listFiles()) {
            if (isSocket(descriptor.toPath())) {
                sockets++;
            }
        }
        return sockets;
    }

    private static boolean isSocket(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (NoSuchFileException closed) {
            return false;
        }
    }

    @AfterEach
    void removeFiles() throws IOException {
        memory.close();
    }
}
