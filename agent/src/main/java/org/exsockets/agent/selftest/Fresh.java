package org.exsockets.agent.selftest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * A JVM's first second: one connection, and round trips until a second after the JVM was started. Prints when it had the
 * first answer, in milliseconds from then on, and how many round trips there were.
 */
public final class Fresh {
    private static final long SECOND_MS = 1_000;
    private static final int MESSAGE_BYTES = 64;

    private Fresh() {}

    /** @param arguments host and port of the server's sockets, and the time of the start, in milliseconds */
    public static void main(String[] arguments) throws IOException {
        InetSocketAddress server = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        long startMs = Long.parseLong(arguments[2]);
        try (Link link = Link.connect(Face.SOCKET, server, Service.ECHO)) {
            ByteBuffer buffer = link.buffer(MESSAGE_BYTES);
            Client.trip(link, buffer);
            long firstMs = System.currentTimeMillis() - startMs;
            long count = 1;
            while (System.currentTimeMillis() - startMs < SECOND_MS) {
                Client.trip(link, buffer);
                count++;
            }
            System.out.println("ok " + firstMs + " " + count);
        }
    }
}
