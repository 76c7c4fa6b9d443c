package org.exsockets.aio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.exsockets.aio.GroupThreads.PoolKind;
import org.exsockets.config.Face;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.nio.NioProvider;
import org.jspecify.annotations.Nullable;

/**
 * Opens asynchronous stream channels and listeners that use EXS if the peer can, and their groups. Asynchronous file
 * channels are not affected. Thread-safe.
 */
public final class AioProvider extends AsynchronousChannelProvider {
    private final AsynchronousChannelProvider visible;

    /** Opens the channels within, which the program never sees. */
    private final NioProvider channels = new NioProvider(JdkChannels.provider(), Face.AIO);

    /** Made when a channel is first opened without a group; never ended. */
    @GuardedBy("this")
    private @Nullable ExsChannelGroup defaultGroup;

    private AioProvider() {
        this.visible = this;
    }

    /** {@return a provider that programs see} Who has it by this type need not load this class to be verified. */
    public static AsynchronousChannelProvider forPrograms() {
        return new AioProvider();
    }

    /**
     * A provider behind another one.
     *
     * @param visible the provider that channels and groups belong to
     */
    public AioProvider(AsynchronousChannelProvider visible) {
        this.visible = visible;
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(int threads, ThreadFactory factory)
            throws IOException {
        if (threads <= 0) {
            throw new IllegalArgumentException("'nThreads' must be > 0");
        }
        return group(Executors.newFixedThreadPool(threads, factory), threads, PoolKind.FIXED);
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService executor, int initialSize)
            throws IOException {
        Objects.requireNonNull(executor, "'executor' is null");
        return group(executor, DefaultPool.waitingTasks(executor, initialSize), PoolKind.GIVEN);
    }

    private ExsChannelGroup group(ExecutorService executor, int waitingTasks, PoolKind kind) throws IOException {
        ExsChannelGroup group;
        try {
            group = new ExsChannelGroup(
                    visible, new GroupThreads(channels.openOwnSelector(), executor, waitingTasks, kind));
        } catch (IOException | RuntimeException | Error e) {
            if (kind != PoolKind.GIVEN) {
                executor.shutdown();
            }
            throw e;
        }
        group.threads.start();
        return group;
    }

    private synchronized ExsChannelGroup defaultGroup() throws IOException {
        if (defaultGroup == null) {
            defaultGroup = group(DefaultPool.executor(), DefaultPool.initialSize(), PoolKind.DEFAULT);
        }
        return defaultGroup;
    }

    @Override
    public AsynchronousSocketChannel openAsynchronousSocketChannel(@Nullable AsynchronousChannelGroup group)
            throws IOException {
        return ExsAsynchronousSocketChannel.open(visible, ours(group), channels.openSocketChannel(), false);
    }

    @Override
    public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(@Nullable AsynchronousChannelGroup group)
            throws IOException {
        return ExsAsynchronousServerSocketChannel.open(visible, ours(group), channels.openServerSocketChannel());
    }

    /** {@return the group for a new channel} @param group null: the default one */
    private ExsChannelGroup ours(@Nullable AsynchronousChannelGroup group) throws IOException {
        if (group != null && !(group instanceof ExsChannelGroup)) {
            throw new IllegalChannelGroupException();
        }
        ExsChannelGroup ours = group == null ? defaultGroup() : (ExsChannelGroup) group;
        ours.ensureNotShutdown();
        return ours;
    }
}
