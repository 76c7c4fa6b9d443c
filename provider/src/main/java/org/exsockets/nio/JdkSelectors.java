package org.exsockets.nio;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelector;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.observe.Log;

/**
 * Selectors of the JDK for those who cannot use others. Stateless.
 *
 * <p>Netty, Hazelcast and Ignite, too, set fields of {@code sun.nio.ch.SelectorImpl}, but go without where a selector is
 * none. The {@code TransportPoller} of Agrona before 1.23, on which Aeron stands, does not start then. It polls datagrams, which
 * are the JDK's in any case; socket channels of EXS cannot be registered with such a selector.
 */
final class JdkSelectors {
    private static final String AGRONA = "org.agrona.";

    private JdkSelectors() {}

    /** {@return whether who opens a selector now, through {@link Selector#open} or a provider, needs one of the JDK} */
    static boolean areNeeded() {
        // No StackWalker, which would cost the first selector of every program milliseconds.
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String caller = frame.getClassName();
            if (!caller.startsWith("org.exsockets.") && !caller.startsWith("java.nio.channels.")) {
                return isAgrona(caller);
            }
        }
        return false;
    }

    /** {@return whether a class is Agrona's, or a copy in somebody's jar} */
    static boolean isAgrona(String name) {
        return name.startsWith(AGRONA) || name.contains("." + AGRONA);
    }

    static AbstractSelector open() throws IOException {
        Log.info("a selector for Agrona is the JDK's: it takes no socket channels of EXS (exs.faces=net,aio)");
        return JdkChannels.provider().openSelector();
    }
}
