package org.exsockets.verbs.disni.provider;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.DeviceProvider;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.disni.cm.DisniDevice;
import org.jspecify.annotations.Nullable;

/** Opens the RDMA adapters of this machine as one device. */
public final class DisniProvider implements DeviceProvider {
    @Override
    public String name() {
        return DisniDevice.NAME;
    }

    @Override
    public Device open(DeviceOptions options) throws IOException {
        return new DisniDevice(options);
    }

    @Override
    public List<Finding> examine(
            DeviceOptions options, EndpointParameters parameters, @Nullable InetSocketAddress target) {
        return DisniExamination.examine(options, target);
    }
}
