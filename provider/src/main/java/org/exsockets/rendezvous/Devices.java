package org.exsockets.rendezvous;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.exsockets.observe.Log;
import org.exsockets.verbs.Device;

/** The devices of this JVM, opened when first needed. */
final class Devices {
    private static volatile boolean anyOpen;

    private Devices() {}

    private static final class Soft {
        static final Device DEVICE = open("soft");
    }

    /** {@return the software device, or null if it cannot be used (logged once, with the reason)} */
    static Device soft() {
        return Soft.DEVICE;
    }

    static void closeIfOpen() {
        if (anyOpen) {
            Soft.DEVICE.close();
        }
    }

    private static Device open(String name) {
        try {
            for (Device device : ServiceLoader.load(Device.class, Devices.class.getClassLoader())) {
                if (device.name().equals(name)) {
                    anyOpen = true;
                    return device;
                }
            }
            Log.warn("device " + name + ": not in this build; connections use TCP");
        } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            Log.warn("device " + name + " cannot be used; connections use TCP: " + cause.getMessage());
        }
        return null;
    }
}
