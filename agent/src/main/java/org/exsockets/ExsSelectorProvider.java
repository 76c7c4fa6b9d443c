package org.exsockets;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import org.exsockets.agent.isolation.IsolatedCall;

/**
 * The provider to name in {@code -Djava.nio.channels.spi.SelectorProvider} for a program without the agent. The program
 * also needs {@code --add-opens java.base/java.nio.channels.spi=ALL-UNNAMED}. Delegates to what the jar hides; channels
 * and selectors name this one as their provider. The JDK creates one; any thread may use it.
 */
public final class ExsSelectorProvider extends SelectorProvider {
    private final SelectorProvider isolated;

    public ExsSelectorProvider() {
        isolated = (SelectorProvider) IsolatedCall.of(
                IsolatedCall.WITHOUT_AGENT, "selectorProvider", new Class<?>[] {SelectorProvider.class}, this);
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return isolated.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return isolated.openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return isolated.openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return isolated.openSelector();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return isolated.openServerSocketChannel();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return isolated.openServerSocketChannel(family);
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return isolated.openSocketChannel();
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return isolated.openSocketChannel(family);
    }

    @Override
    public Channel inheritedChannel() throws IOException {
        return isolated.inheritedChannel();
    }
}
