package org.exsockets;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.exsockets.config.Face;
import org.exsockets.install.Installation;
import org.exsockets.net.ExsSocketImpl;

/** Switches {@code java.net} to EXS in a program that runs without the agent. */
public final class ExsSockets {
    private ExsSockets() {}

    /**
     * Installs the factories of {@code Socket} and {@code ServerSocket}; to be called before the first of them is made.
     * Does nothing where the agent has installed EXS already, where settings leave sockets to the JDK, or where the JVM lacks
     * the option that EXS needs, which is said once.
     *
     * @throws IOException if the program has factories already ("factory already defined")
     */
    @SuppressWarnings("deprecation") // There is no other way in without an agent.
    public static void install() throws IOException {
        if (!Installation.socketsReplaced() && Installation.servesWithoutAgent(Face.NET)) {
            Socket.setSocketImplFactory(() -> ExsSocketImpl.forFactory(false));
            ServerSocket.setSocketFactory(() -> ExsSocketImpl.forFactory(true));
        }
    }
}
