package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.SoftDevice;
import org.exsockets.verbs.soft.SoftDevices;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.host.OpenDescriptors;
import org.exsockets.verbs.soft.shared.SharedBudget;
import org.junit.jupiter.api.Test;

/** A listen or a connect that fails half-way, and not as it is expected to, leaves nothing behind. */
class UnexpectedFailuresTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(64 << 10, 64 << 10, 16, 1, 1);

    /** A device that fails when it asks how much memory it may share. */
    private static SoftDevice failing() throws Exception {
        return SoftDevices.open(new SharedBudget(
                new MachineMemory() {
                    @Override
                    public long totalBytes() {
                        throw new IllegalStateException("unexpected");
                    }
                },
                DeviceOptions.AUTO));
    }

    @Test
    void aListenerThatFailsLeavesItsNameToAnother() throws Exception {
        SoftDevice failing = failing();
        SoftDevice other = SoftDevices.open();
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) port.getLocalSocketAddress();
            OpenDescriptors before = OpenDescriptors.now();
            assertThrows(IllegalStateException.class, () -> failing.listen(address, false, 1, PARAMETERS));
            assertEquals(0, OpenDescriptors.now().moreThan(before));
            other.listen(address, false, 1, PARAMETERS).close();
        }
    }

    @Test
    void aConnectThatFailsLeavesNoSocket() throws Exception {
        SoftDevice failing = failing();
        SoftDevice other = SoftDevices.open();
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) port.getLocalSocketAddress();
            InetSocketAddress client = new InetSocketAddress(port.getInetAddress(), 0);
            try (DeviceListener listener = other.listen(address, false, 1, PARAMETERS)) {
                OpenDescriptors before = OpenDescriptors.now();
                assertThrows(IllegalStateException.class, () -> failing.connect(client, address, PARAMETERS));
                assertEquals(0, OpenDescriptors.now().moreThan(before), listener::toString);
            }
        }
    }
}
