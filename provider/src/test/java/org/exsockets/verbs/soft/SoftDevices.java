package org.exsockets.verbs.soft;

import java.io.IOException;
import java.util.function.IntSupplier;
import org.exsockets.verbs.soft.meet.OtherUsers;
import org.exsockets.verbs.soft.meet.OwnEnds;
import org.exsockets.verbs.soft.shared.SharedBudget;

/** Devices as no program opens them, for tests in other packages. */
public final class SoftDevices {
    private SoftDevices() {}

    /** {@return a device with the usual bound of memory} */
    public static SoftDevice open(IntSupplier user, OtherUsers others) throws IOException {
        return open(SoftDevice.usualBudget(), user, others);
    }

    public static SoftDevice open(SharedBudget budget, IntSupplier user, OtherUsers others) throws IOException {
        return new SoftDevice(budget, user, others);
    }

    public static OwnEnds ends(SoftDevice device) {
        return device.ends();
    }
}
