package org.exsockets.verbs.soft;

import java.io.IOException;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.soft.host.MachineMemory;
import org.exsockets.verbs.soft.host.UnixSockets;
import org.exsockets.verbs.soft.host.UserNamespace;
import org.exsockets.verbs.soft.meet.OwnEnds;
import org.exsockets.verbs.soft.meet.Users;
import org.exsockets.verbs.soft.shared.SharedBudget;

/** Devices for tests in other packages. */
public final class SoftDevices {
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    private SoftDevices() {}

    /** Every user has a number, and no process of another one may be a peer. */
    public static Users onlyOwn() {
        return new Users(UnixSockets.effectiveUser(), UserNamespace.NONE, user -> false, 0);
    }

    /** {@return a device as programs open it that set nothing} */
    public static SoftDevice open() throws IOException {
        return new SoftDevice(new DeviceOptions(
                CONNECT_TIMEOUT_MS, null, null, true, false, DeviceOptions.AUTO, DeviceOptions.AUTO, user -> false));
    }

    public static SoftDevice open(Users users) throws IOException {
        return new SoftDevice(new SharedBudget(new MachineMemory(), DeviceOptions.AUTO), users);
    }

    public static SoftDevice open(SharedBudget budget) throws IOException {
        SoftDevice.effectiveUser();
        return new SoftDevice(budget, onlyOwn());
    }

    public static OwnEnds ends(SoftDevice device) {
        return device.ends;
    }
}
