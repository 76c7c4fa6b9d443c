package org.exsockets.watch;

import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * Registers {@link SocketsMXBean} with the platform's MBean server: once there is one, made by the program, its options or
 * a monitor that attaches. Making it takes tens of milliseconds, so it is not made here unless {@code exs.jmx=true}. Run
 * by the background thread, now and then, until it is done.
 */
public final class Managed implements BooleanSupplier {
    static final String NAME = "org.exsockets:type=Sockets";

    private final boolean make;
    private boolean done;

    /** @param make whether to make the platform's MBean server if there is none */
    public Managed(boolean make) {
        this.make = make;
    }

    /** {@return whether to try again later} */
    @Override
    public boolean getAsBoolean() {
        if (SecurityManagers.present()) {
            SecurityManagers.asOurselves(this::register);
        } else {
            register();
        }
        return !done;
    }

    private void register() {
        try {
            done = Registration.made(make);
        } catch (LinkageError without) {
            done = true;
            Log.debug("jmx: this JVM has no java.management: " + without);
        }
    }

    /** What names classes that a JVM may lack. */
    private static final class Registration {
        /** The platform's server has it; a program may have made servers of its own. */
        private static final String OF_THE_PLATFORM = "java.lang:type=Runtime";

        /** {@return whether no other try is needed} */
        static boolean made(boolean make) {
            try {
                MBeanServer server = make ? ManagementFactory.getPlatformMBeanServer() : existing();
                if (server == null) {
                    return false;
                }
                server.registerMBean(new Sockets(), new ObjectName(NAME));
            } catch (JMException | RuntimeException e) {
                Log.warn("jmx: cannot register " + NAME + ": " + e);
            }
            return true;
        }

        private static @Nullable MBeanServer existing() throws JMException {
            for (MBeanServer each : MBeanServerFactory.findMBeanServer(null)) {
                if (each.isRegistered(new ObjectName(OF_THE_PLATFORM))) {
                    return each;
                }
            }
            return null;
        }
    }
}
