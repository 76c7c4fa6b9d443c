package org.exsockets;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.exsockets.install.Installation;
import org.exsockets.net.ExsSocketImpl;

/** Switches {@code java.net} to EXS in a program that runs without the agent. */
public final class ExsSockets {
    private ExsSockets() {}

    /**
     * Installs the factories of {@code Socket} and {@code ServerSocket}; to be called before the first of them is made.
     * Does nothing where the agent has installed EXS already, or where {@code exs.faces} leaves sockets to the JDK.
     *
     * @throws IOException if the program has factories already ("factory already defined")
     */
    @SuppressWarnings("deprecation") // There is no other way in without an agent.
    public static void install() throws IOException {
        if (!Installation.socketsReplaced()
                && Installation.prepareWithoutAgent().sockets()) {
            Socket.setSocketImplFactory(() -> ExsSocketImpl.forFactory(false));
            ServerSocket.setSocketFactory(() -> ExsSocketImpl.forFactory(true));
        }
    }
}
