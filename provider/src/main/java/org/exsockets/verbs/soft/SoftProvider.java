package org.exsockets.verbs.soft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.DeviceProvider;
import org.exsockets.verbs.DeviceProvider.Finding;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.soft.copy.NativeCopy;
import org.exsockets.verbs.soft.host.NativeMemory;
import org.jspecify.annotations.Nullable;

/** Opens the software device. Thread-safe. */
public final class SoftProvider implements DeviceProvider {
    @Override
    public String name() {
        return SoftDevice.NAME;
    }

    @Override
    public Device open(DeviceOptions options) throws IOException {
        NativeCopy.allow(options.nativeCopy());
        NativeMemory.dump(options.dumped());
        return new SoftDevice(options);
    }

    @Override
    public List<Finding> examine(
            DeviceOptions options, EndpointParameters parameters, @Nullable InetSocketAddress target) {
        NativeCopy.allow(options.nativeCopy());
        return SoftExamination.examine(options, parameters, target);
    }
}
