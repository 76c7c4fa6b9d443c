package org.exsockets;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import org.exsockets.agent.isolation.IsolatedCall;

/**
 * The provider to name in {@code -Djava.nio.channels.spi.AsynchronousChannelProvider} for a program without the agent.
 * The program also needs {@code --add-opens java.base/java.nio.channels.spi=ALL-UNNAMED}. Delegates to what the jar
 * hides; channels and groups name this one as their provider. The JDK creates one; any thread may use it.
 */
public final class ExsAsynchronousChannelProvider extends AsynchronousChannelProvider {
    private final AsynchronousChannelProvider isolated;

    public ExsAsynchronousChannelProvider() {
        isolated = (AsynchronousChannelProvider) IsolatedCall.of(
                IsolatedCall.WITHOUT_AGENT,
                "asynchronousChannelProvider",
                new Class<?>[] {AsynchronousChannelProvider.class},
                this);
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(int threads, ThreadFactory factory)
            throws IOException {
        return isolated.openAsynchronousChannelGroup(threads, factory);
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService executor, int initialSize)
            throws IOException {
        return isolated.openAsynchronousChannelGroup(executor, initialSize);
    }

    @Override
    public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(AsynchronousChannelGroup group)
            throws IOException {
        return isolated.openAsynchronousServerSocketChannel(group);
    }

    @Override
    public AsynchronousSocketChannel openAsynchronousSocketChannel(AsynchronousChannelGroup group) throws IOException {
        return isolated.openAsynchronousSocketChannel(group);
    }
}
