package org.exsockets.compat.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The factory of the JVM's default group of asynchronous channels, so that its threads are known by their names: the
 * group lives as long as the JVM.
 */
public final class DefaultGroupThreads implements ThreadFactory {
    public static final String NAME = "default-group-";

    private static final AtomicInteger MADE = new AtomicInteger();

    /** Names this factory and has the default group made, unless it exists. */
    static void prepare() {
        System.setProperty("java.nio.channels.DefaultThreadPool.threadFactory", DefaultGroupThreads.class.getName());
        try {
            AsynchronousSocketChannel.open().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, NAME + MADE.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
