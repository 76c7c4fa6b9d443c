package org.exsockets.agent.programs;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** Installs the socket factories through the public entry point and opens a channel. */
public final class WithoutAgent {
    private WithoutAgent() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Class.forName("org.exsockets.ExsSockets").getMethod("install").invoke(null);
        try (SocketChannel channel = SocketChannel.open()) {
            System.out.println(channel.isOpen());
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }
}
