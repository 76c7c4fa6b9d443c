package org.exsockets.verbs.soft;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.FaultContractTest;

class SoftFaultContractTest extends FaultContractTest {
    @Override
    protected Device open() throws IOException {
        return SoftDevices.open();
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
}
