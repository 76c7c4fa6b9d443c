package org.exsockets.aio;

import java.security.PrivilegedAction;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.jdk.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The threads of the default group, by the properties that {@link java.nio.channels.AsynchronousChannelGroup}
 * documents, and how many tasks of a pool wait for channels. The numbers are those of the JDK.
 */
final class DefaultPool {
    private static final String FACTORY = "java.nio.channels.DefaultThreadPool.threadFactory";
    private static final String INITIAL_SIZE = "java.nio.channels.DefaultThreadPool.initialSize";

    private DefaultPool() {}

    static ExecutorService executor() {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, Long.MAX_VALUE, TimeUnit.MILLISECONDS, new SynchronousQueue<>(), factory());
    }

    private static ThreadFactory factory() {
        String name = property(FACTORY);
        if (name == null) {
            AtomicInteger made = new AtomicInteger();
            return task -> Threads.ofHandlers("exs-default-group-" + made.incrementAndGet(), task);
        }
        try {
            return (ThreadFactory) Class.forName(name, true, ClassLoader.getSystemClassLoader())
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new Error("system property " + FACTORY + ": not a usable thread factory: class=" + name, e);
        }
    }

    private static @Nullable String property(String name) {
        return SecurityManagers.privileged((PrivilegedAction<@Nullable String>) () -> System.getProperty(name));
    }

    static int initialSize() {
        String size = property(INITIAL_SIZE);
        if (size == null) {
            return Runtime.getRuntime().availableProcessors();
        }
        try {
            return Math.max(0, Integer.parseInt(size));
        } catch (NumberFormatException e) {
            throw new Error("system property " + INITIAL_SIZE + ": not a number: value=" + size, e);
        }
    }

    /**
     * {@return how many tasks of {@code executor} wait for channels and run handlers at once: one for each processor if
     * {@code initialSize} is negative and the pool can grow; otherwise none, so that the program finds its pool idle
     * between handlers and no such task keeps the JVM alive}
     */
    static int waitingTasks(ExecutorService executor, int initialSize) {
        boolean grows = executor instanceof ThreadPoolExecutor pool && pool.getMaximumPoolSize() == Integer.MAX_VALUE;
        return grows && initialSize < 0 ? Runtime.getRuntime().availableProcessors() : 0;
    }
}
