package org.exsockets.verbs.disni;

import java.io.IOException;
import java.net.InetAddress;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceContractTest;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
class DisniDeviceContractTest extends DeviceContractTest {
    @Override
    protected Device open() throws IOException {
        return RealDevice.get();
    }

    @Override
    protected InetAddress host() throws IOException {
        return RealDevice.ipv4(0);
    }

    @Override
    protected InetAddress otherHost() throws IOException {
        return RealDevice.ipv4(1);
    }

    @Override
    protected InetAddress hostOverIpv6() throws IOException {
        return RealDevice.ipv6();
    }

    @Override
    protected boolean seesListeners() {
        return false;
    }

    @Override
    protected int maxSendBytes() {
        return ConnectionMemory.SLOT_BYTES;
    }
}
