package org.exsockets;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import org.exsockets.aio.AsynchronousChannels;
import org.exsockets.config.Face;
import org.exsockets.install.Installation;

/**
 * The provider to name in {@code -Djava.nio.channels.spi.AsynchronousChannelProvider} when the agent is not used. Its
 * stream channels and listeners travel over EXS where the peer can. Asynchronous file channels have no part in this.
 */
public final class ExsAsynchronousChannelProvider extends AsynchronousChannelProvider {
    private final AsynchronousChannels channels;

    /**
     * Reads the settings; with settings that are wrong, or that switch EXS or this face of it off, or where the JVM lacks the
     * option that EXS needs, everything is the JDK's.
     */
    public ExsAsynchronousChannelProvider() {
        this.channels = open(this);
    }

    /**
     * As the other constructor, for a provider that leads to this one.
     *
     * @param visible the provider the program knows, to which channels and groups are to belong
     */
    public ExsAsynchronousChannelProvider(AsynchronousChannelProvider visible) {
        this.channels = open(visible);
    }

    private static AsynchronousChannels open(AsynchronousChannelProvider visible) {
        return new AsynchronousChannels(visible, Installation.servesWithoutAgent(Face.AIO));
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(int threads, ThreadFactory factory)
            throws IOException {
        return channels.openGroup(threads, factory);
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService executor, int initialSize)
            throws IOException {
        return channels.openGroup(executor, initialSize);
    }

    @Override
    public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(AsynchronousChannelGroup group)
            throws IOException {
        return channels.openServerSocketChannel(group);
    }

    @Override
    public AsynchronousSocketChannel openAsynchronousSocketChannel(AsynchronousChannelGroup group) throws IOException {
        return channels.openSocketChannel(group);
    }
}
