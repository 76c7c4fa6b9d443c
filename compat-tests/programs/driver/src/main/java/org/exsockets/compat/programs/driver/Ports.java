package org.exsockets.compat.programs.driver;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** The address that servers listen on, and ports for those that must be told one. Stateless. */
public final class Ports {
    /** Where servers listen. */
    public static final String HOST = "127.0.0.1";

    /** Below the ports that Linux gives to those who do not ask for one: nobody gets it meanwhile by chance. */
    private static final int FIRST = 20_000;

    private static final int LAST = 32_000;

    private Ports() {}

    /** {@return a port that nobody listens on} */
    public static int unused() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getByName(HOST), port));
                return port;
            } catch (BindException taken) {
                continue;
            }
        }
    }
}
