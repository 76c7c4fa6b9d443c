package org.exsockets.rendezvous;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.locks.ReentrantLock;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.jdk.JdkDiffersException;
import org.exsockets.observe.Log;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceOptions;
import org.exsockets.verbs.DeviceProvider;
import org.exsockets.verbs.NotNowException;
import org.jspecify.annotations.Nullable;

/** The devices of this JVM, each opened when it is first asked for. Thread-safe. */
class Devices {
    static final String SOFT = "soft";
    static final String DISNI = "disni";

    /** Asked for by name: a search takes as long as all else that opens it. */
    private static final String SOFT_PROVIDER = "org.exsockets.verbs.soft.SoftProvider";

    /** Bounds the search if a broken file of services makes each step fail. */
    private static final int MAX_BROKEN_SERVICES = 16;

    private final DeviceOptions options;

    /** Run before any device is opened, each time. */
    private final Runnable beforeOpening;

    private final Slot soft = new Slot(SOFT, "connections use TCP");
    private final Slot disni = new Slot(
            DISNI, "connections use shared memory on this host and TCP to others (exs.device=soft asks for just that)");

    Devices(DeviceOptions options, Runnable beforeOpening) {
        this.options = options;
        this.beforeOpening = beforeOpening;
    }

    /** {@return the device, or null if it cannot be used, which is logged once} @throws OutOfMemoryError to open it */
    @Nullable
    Device named(String name) {
        return slot(name).get();
    }

    private Slot slot(String name) {
        return name.equals(SOFT) ? soft : disni;
    }

    /** {@return why the device of this name could not be opened; null if it was, or has not been asked for} */
    @Nullable
    String obstacle(String name) {
        Slot slot = slot(name);
        return slot.tried ? slot.obstacle : slot.scarce;
    }

    /** {@return whether the device of this name could not be opened for lack of what may be available later} */
    boolean isScarce(String name) {
        Slot slot = slot(name);
        return !slot.tried && slot.scarce != null;
    }

    void closeIfOpen() {
        for (Slot each : List.of(soft, disni)) {
            if (each.tried && each.device != null) {
                each.device.close();
            }
        }
    }

    void endIfOpen() {
        for (Slot each : List.of(soft, disni)) {
            if (each.tried && each.device != null) {
                each.device.end();
            }
        }
    }

    /** {@return the first provider of this name; null if there is none in this build} */
    @Nullable
    DeviceProvider provider(String name) {
        if (name.equals(SOFT)) {
            try {
                return (DeviceProvider)
                        Class.forName(SOFT_PROVIDER).getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException | LinkageError e) {
                Log.debug("device soft: cannot be used: " + e);
                return null;
            }
        }
        return Search.of(name);
    }

    /** Apart, as it has the JVM load what only a search needs. */
    private static final class Search {
        private Search() {}

        static @Nullable DeviceProvider of(String name) {
            Iterator<DeviceProvider> found = ServiceLoader.load(DeviceProvider.class, Devices.class.getClassLoader())
                    .iterator();
            for (int broken = 0; broken < MAX_BROKEN_SERVICES; ) {
                try {
                    if (!found.hasNext()) {
                        return null;
                    }
                    DeviceProvider provider = found.next();
                    if (provider.name().equals(name)) {
                        return provider;
                    }
                } catch (ServiceConfigurationError | LinkageError e) {
                    broken++;
                    Log.debug("device provider: cannot be used: " + e);
                }
            }
            return null;
        }
    }

    /** One device, or the reason why there is none. */
    private final class Slot {
        private final String name;
        private final String consequence;

        /** Held while the device is opened, so that one thread opens and reports, and the others wait. */
        private final ReentrantLock opening = new ReentrantLock();

        /**
         * Written once, under {@link #opening}; not for lack of memory or descriptors, which may be available next
         * time. {@link #device} and {@link #obstacle} are written before it, so they may be plain.
         */
        private volatile boolean tried;

        private @Nullable Device device;
        private @Nullable String obstacle;

        /** Found once, as the search takes long. */
        private @Nullable DeviceProvider provider;

        /** What was missing at the latest try; null: nothing, or no try. */
        private volatile @Nullable String scarce;

        Slot(String name, String consequence) {
            this.name = name;
            this.consequence = consequence;
        }

        /** @throws OutOfMemoryError if there is too little memory to open it */
        @Nullable
        Device get() {
            if (!tried && !opening.isHeldByCurrentThread()) {
                opening.lock();
                try {
                    if (!tried) {
                        open();
                    }
                } finally {
                    opening.unlock();
                }
            }
            return tried ? device : null;
        }

        private void open() {
            boolean differs = false;
            try {
                if (provider == null) {
                    provider = provider(name);
                }
                if (provider != null) {
                    beforeOpening.run();
                    device = provider.open(options);
                    tried = true;
                    return;
                }
                obstacle = "it is not in this build";
            } catch (NotNowException e) {
                scarce = e.getMessage();
                String told = "device " + name + " cannot be used now: " + scarce + "; " + consequence;
                if (DescriptorPoll.jdkDiffers()) {
                    Log.info(told);
                } else {
                    Log.warnOnce("device " + name, told);
                }
                return;
            } catch (IOException | RuntimeException | LinkageError e) {
                differs = e instanceof JdkDiffersException;
                obstacle =
                        (e instanceof IOException || differs) && e.getMessage() != null ? e.getMessage() : e.toString();
            }
            tried = true;
            String told = "device " + name + " cannot be used: " + obstacle + "; " + consequence;
            if (differs) {
                Log.info(told);
            } else {
                Log.warn(told);
            }
        }
    }
}
