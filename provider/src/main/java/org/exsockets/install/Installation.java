package org.exsockets.install;

import java.net.SocketImpl;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * What an installer (the Java agent, or a program without one) puts in front of the JDK's own sockets.
 *
 * <p>Only JDK types cross this class's boundary, so that it may live in a class loader the program cannot see.
 */
public final class Installation {
    private Installation() {}

    /**
     * Reads and checks the settings.
     *
     * @param options agent options by their short names ({@code enabled}, {@code device} …); they win over system
     *     properties, which win over environment variables
     * @return the installation
     * @throws IllegalArgumentException if a setting is misspelt or malformed; its message is complete and meant for the user
     */
    public static Installation prepare(Map<String, String> options) {
        return new Installation();
    }

    /** {@return whether there is anything to install; false if the settings switch EXS off} */
    public boolean enabled() {
        return true;
    }

    /** {@return a function from the JVM's own provider to the one programs are to see; idempotent, never throws} */
    public UnaryOperator<SelectorProvider> selectorProviders() {
        return provider -> provider;
    }

    /**
     * {@return a function from a platform socket implementation just created (and whether it is a server's) to the one
     * to use instead, or the same object to leave it alone; never throws}
     */
    public BiFunction<SocketImpl, Boolean, SocketImpl> platformSockets() {
        return (platform, server) -> platform;
    }
}
