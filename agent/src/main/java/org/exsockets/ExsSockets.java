package org.exsockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.exsockets.agent.isolation.IsolatedCall;

/** Puts java.net sockets over EXS for a program that runs without the agent. Any thread. */
public final class ExsSockets {
    private ExsSockets() {}

    /**
     * Installs the factories of {@code Socket} and {@code ServerSocket}; to be called before the first of them is made.
     * The program has to be started with {@code --add-opens java.base/java.nio.channels.spi=ALL-UNNAMED}; without it
     * this leaves sockets to the JDK, and says so. Does nothing where the agent has installed EXS already, or where
     * settings leave sockets to the JDK.
     *
     * @throws IOException if the program has factories already ("factory already defined")
     */
    public static void install() throws IOException {
        try {
            IsolatedCall.of(IsolatedCall.WITHOUT_AGENT, "installSockets", new Class<?>[0]);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
