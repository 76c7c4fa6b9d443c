package org.exsockets.install;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** Takes the provider's place in tests of the agent's jar: its channels are refused in its own words. */
public final class WithoutAgent {
    private WithoutAgent() {}

    private static String here() {
        return WithoutAgent.class.getClassLoader().getName();
    }

    public static void installSockets() {
        System.out.println("factories in " + here());
    }

    public static SelectorProvider selectorProvider(SelectorProvider visible) {
        System.out.println("provider in " + here());
        if (!visible.getClass().getName().equals("org.exsockets.ExsSelectorProvider")) {
            throw new IllegalArgumentException("double stands behind " + visible);
        }
        return new RefusingProvider();
    }

    private static final class RefusingProvider extends SelectorProvider {
        private static IOException refusal(String what) {
            return new IOException("double opens no " + what);
        }

        @Override
        public DatagramChannel openDatagramChannel() throws IOException {
            throw refusal("DatagramChannel");
        }

        @Override
        public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
            throw refusal("DatagramChannel");
        }

        @Override
        public Pipe openPipe() throws IOException {
            throw refusal("Pipe");
        }

        @Override
        public AbstractSelector openSelector() throws IOException {
            throw refusal("Selector");
        }

        @Override
        public ServerSocketChannel openServerSocketChannel() throws IOException {
            throw refusal("ServerSocketChannel");
        }

        @Override
        public SocketChannel openSocketChannel() throws IOException {
            throw refusal("SocketChannel");
        }
    }
}
