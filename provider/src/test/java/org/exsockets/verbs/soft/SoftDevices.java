package org.exsockets.verbs.soft;

import java.io.IOException;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.meet.OtherUsers;
import org.exsockets.verbs.soft.meet.OwnEnds;
import org.exsockets.verbs.soft.shared.SharedBudget;

/** Devices for tests in other packages. */
public final class SoftDevices {
    /** No process of another user may be a peer. */
    public static final OtherUsers NO_OTHERS = new OtherUsers(user -> false, 0);

    private static final int CONNECT_TIMEOUT_MS = 10_000;

    private SoftDevices() {}

    /** {@return a device as programs open it that set nothing} */
    public static SoftDevice open() throws IOException {
        return new SoftDevice(new DeviceOptions(
                CONNECT_TIMEOUT_MS, null, null, true, DeviceOptions.AUTO, DeviceOptions.AUTO, user -> false));
    }

    /** {@return a device that takes this process for one of {@code user}} */
    public static SoftDevice open(int user, OtherUsers others) throws IOException {
        return new SoftDevice(new SharedBudget(new MachineMemory(), DeviceOptions.AUTO), user, others);
    }

    public static SoftDevice open(SharedBudget budget) throws IOException {
        return new SoftDevice(budget, SoftDevice.effectiveUser(), NO_OTHERS);
    }

    public static OwnEnds ends(SoftDevice device) {
        return device.ends;
    }
}
