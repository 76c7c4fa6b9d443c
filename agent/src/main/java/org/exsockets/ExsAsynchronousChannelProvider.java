package org.exsockets;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import org.exsockets.agent.isolation.IsolatedFailure;
import org.exsockets.agent.isolation.Isolation;

/**
 * The provider to name in {@code -Djava.nio.channels.spi.AsynchronousChannelProvider} for a program that runs without the
 * agent. The agent's jar shows this class to the program in place of the provider's class of the same name, to which it
 * leads; channels and groups belong to this one. The JDK creates one; any thread may use it.
 */
public final class ExsAsynchronousChannelProvider extends AsynchronousChannelProvider {
    private final AsynchronousChannelProvider isolated;

    public ExsAsynchronousChannelProvider() {
        try {
            isolated = (AsynchronousChannelProvider)
                    Class.forName(ExsAsynchronousChannelProvider.class.getName(), true, Isolation.loader())
                            .getConstructor(AsynchronousChannelProvider.class)
                            .newInstance(this);
        } catch (InvocationTargetException e) {
            throw IsolatedFailure.unwrap(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("damaged jar: " + e.getMessage(), e);
        }
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
