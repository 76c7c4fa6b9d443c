package org.exsockets.nio;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelector;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.observe.Log;

/**
 * Selectors of the JDK for libraries that cannot use others. Stateless.
 *
 * <p>The {@code TransportPoller} of Agrona before 1.23, which Aeron uses, sets fields of {@code
 * sun.nio.ch.SelectorImpl} and does not start without them. It polls datagrams, whose channels are always the JDK's;
 * socket channels of EXS cannot be registered with such a selector. Netty, Hazelcast and Ignite set these fields, too,
 * but can do without.
 */
final class JdkSelectors {
    private static final String AGRONA = "org.agrona.";

    private JdkSelectors() {}

    /** {@return whether the code that opens a selector, by {@link Selector#open} or a provider, needs the JDK's} */
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

    /** {@return whether a class is Agrona's, or a relocated copy} */
    static boolean isAgrona(String name) {
        return name.startsWith(AGRONA) || name.contains("." + AGRONA);
    }

    static AbstractSelector open() throws IOException {
        Log.info("a selector for Agrona is the JDK's: it takes no socket channels of EXS (exs.faces=net,aio)");
        return JdkChannels.provider().openSelector();
    }
}
