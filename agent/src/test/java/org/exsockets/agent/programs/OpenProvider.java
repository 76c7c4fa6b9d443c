package org.exsockets.agent.programs;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** Prints whether the system-wide selector provider is the JDK's, and opens a channel. */
public final class OpenProvider {
    private OpenProvider() {}

    public static void main(String[] arguments) throws IOException {
        String name = SelectorProvider.provider().getClass().getName();
        System.out.println(name.startsWith("sun.nio.ch.") ? "the JDK's" : name);
        try (SocketChannel channel = SocketChannel.open()) {
            System.out.println(channel.isOpen());
        }
    }
}
