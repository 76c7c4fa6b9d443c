package org.exsockets.aio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.exsockets.config.Face;
import org.exsockets.jdk.JdkAsynchronousChannels;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.nio.ExsChannels;

/** Opens asynchronous channels and groups on behalf of a provider. Thread-safe. */
public final class AsynchronousChannels {
    private final AsynchronousChannelProvider provider;
    private final boolean enabled;
    private final ExsChannels channels;

    /** Made when a channel is first opened without a group; never ended. */
    @GuardedBy("this")
    private ExsChannelGroup defaultGroup;

    /**
     * @param provider to which channels and groups are to belong
     * @param enabled false to leave everything to the JDK
     */
    public AsynchronousChannels(AsynchronousChannelProvider provider, boolean enabled) {
        this.provider = provider;
        this.enabled = enabled;
        // The channels within are nobody else's: the program never sees whose they are.
        this.channels = enabled ? new ExsChannels(JdkChannels.provider(), true, Face.AIO) : null;
    }

    /** As {@link AsynchronousChannelProvider#openAsynchronousChannelGroup(int, ThreadFactory)}. */
    public AsynchronousChannelGroup openGroup(int threads, ThreadFactory factory) throws IOException {
        if (!enabled) {
            return JdkAsynchronousChannels.provider().openAsynchronousChannelGroup(threads, factory);
        }
        if (threads <= 0) {
            throw new IllegalArgumentException("'nThreads' must be > 0");
        }
        return group(Executors.newFixedThreadPool(threads, factory), threads, PoolKind.FIXED);
    }

    /** As {@link AsynchronousChannelProvider#openAsynchronousChannelGroup(ExecutorService, int)}. */
    public AsynchronousChannelGroup openGroup(ExecutorService executor, int initialSize) throws IOException {
        if (!enabled) {
            return JdkAsynchronousChannels.provider().openAsynchronousChannelGroup(executor, initialSize);
        }
        Objects.requireNonNull(executor, "'executor' is null");
        return group(executor, DefaultPool.waitingTasks(executor, initialSize), PoolKind.GIVEN);
    }

    private ExsChannelGroup group(ExecutorService executor, int waitingTasks, PoolKind kind) throws IOException {
        ExsChannelGroup group;
        try {
            group = new ExsChannelGroup(provider, channels.openOwnSelector(), executor, waitingTasks, kind);
        } catch (IOException | RuntimeException | Error e) {
            if (kind != PoolKind.GIVEN) {
                executor.shutdown();
            }
            throw e;
        }
        return group.start();
    }

    private synchronized ExsChannelGroup defaultGroup() throws IOException {
        if (defaultGroup == null) {
            defaultGroup = group(DefaultPool.executor(), DefaultPool.initialSize(), PoolKind.DEFAULT);
        }
        return defaultGroup;
    }

    /** As {@link AsynchronousChannelProvider#openAsynchronousSocketChannel}. */
    public AsynchronousSocketChannel openSocketChannel(AsynchronousChannelGroup group) throws IOException {
        if (!enabled) {
            return JdkAsynchronousChannels.provider().openAsynchronousSocketChannel(group);
        }
        ExsChannelGroup ours = ours(group);
        ours.ensureNotShutdown();
        SocketChannel channel = channels.openSocketChannel(null);
        return ExsAsynchronousSocketChannel.open(provider, ours, channel, false);
    }

    /** As {@link AsynchronousChannelProvider#openAsynchronousServerSocketChannel}. */
    public AsynchronousServerSocketChannel openServerSocketChannel(AsynchronousChannelGroup group) throws IOException {
        if (!enabled) {
            return JdkAsynchronousChannels.provider().openAsynchronousServerSocketChannel(group);
        }
        ExsChannelGroup ours = ours(group);
        ours.ensureNotShutdown();
        ServerSocketChannel channel = channels.openServerSocketChannel(null);
        return ExsAsynchronousServerSocketChannel.open(provider, ours, channel);
    }

    private ExsChannelGroup ours(AsynchronousChannelGroup group) throws IOException {
        if (group == null) {
            return defaultGroup();
        }
        if (!(group instanceof ExsChannelGroup ours)) {
            throw new IllegalChannelGroupException();
        }
        return ours;
    }
}
