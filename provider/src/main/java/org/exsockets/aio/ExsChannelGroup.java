package org.exsockets.aio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous channels that share threads and a selector.
 *
 * <pre>
 *   state     trigger                                    next
 *   open      shutdown, shutdownNow                      shut down: no channel is added
 *   shut down its last channel is closed                 ending: threads run the handlers that are left, and end
 *   ending    the executor has ended                     terminated
 * </pre>
 */
final class ExsChannelGroup extends AsynchronousChannelGroup implements Executor {
    final GroupThreads threads;

    /** Its monitor guards changes of {@link #shutdown}, too. */
    @GuardedBy("channels")
    private final Set<Closeable> channels = new HashSet<>();

    private volatile boolean shutdown;

    ExsChannelGroup(AsynchronousChannelProvider provider, GroupThreads threads) {
        super(provider);
        this.threads = threads;
    }

    void ensureNotShutdown() {
        if (shutdown) {
            throw new ShutdownChannelGroupException();
        }
    }

    /** Adds a channel. @throws ShutdownChannelGroupException if the group is shut down */
    void attach(Closeable channel) {
        synchronized (channels) {
            ensureNotShutdown();
            channels.add(channel);
        }
    }

    /** A channel has been closed. */
    void detach(Closeable channel) {
        synchronized (channels) {
            channels.remove(channel);
            if (!shutdown || !channels.isEmpty()) {
                return;
            }
        }
        threads.end();
    }

    /**
     * Calls the handler of an operation that was done, or refused, when it started: right here, if this is a thread of
     * the group with room on its stack; otherwise in a thread of the group.
     *
     * @throws ShutdownChannelGroupException see {@link GroupThreads#submit}
     */
    <V, A> void tell(
            CompletionHandler<V, ? super A> handler,
            @Nullable A attachment,
            @Nullable V result,
            @Nullable Throwable failure) {
        HandlerThread here = HandlerThread.current();
        if (here != null && here.threads == threads && here.tryDirect()) {
            HandlerThread.call(handler, attachment, result, failure);
        } else {
            tellLater(handler, attachment, result, failure);
        }
    }

    /** As {@link #tell}, but never right here. */
    <V, A> void tellLater(
            CompletionHandler<V, ? super A> handler,
            @Nullable A attachment,
            @Nullable V result,
            @Nullable Throwable failure) {
        threads.submit(() -> HandlerThread.call(handler, attachment, result, failure));
    }

    /**
     * Runs a task of the program in a thread of the group: the JDK's groups are executors, too.
     *
     * @throws RejectedExecutionException if the group's threads have ended, or its executor takes no more tasks
     * @throws NullPointerException without a task, in a group with a fixed number of threads; elsewhere it ends a thread
     */
    @Override
    public void execute(Runnable task) {
        Runnable given = SecurityManagers.asGiver(task);
        try {
            threads.submit(threads.areFixed() ? given : () -> given.run());
        } catch (ShutdownChannelGroupException e) {
            throw new RejectedExecutionException(e);
        }
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return threads.executor.isTerminated();
    }

    @Override
    public void shutdown() {
        synchronized (channels) {
            shutdown = true;
            if (!channels.isEmpty()) {
                return;
            }
        }
        threads.end();
    }

    @Override
    public void shutdownNow() throws IOException {
        shutdown();
        List<Closeable> open;
        synchronized (channels) {
            open = new ArrayList<>(channels);
        }
        ShutdownChannelGroupException notTold = null;
        for (Closeable channel : open) {
            try {
                channel.close();
            } catch (ShutdownChannelGroupException e) {
                notTold = e;
            } catch (IOException e) {
                Log.debug("channel group: a channel did not close in order: " + e);
            }
        }
        if (notTold != null) {
            throw notTold;
        }
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return threads.executor.awaitTermination(timeout, unit);
    }
}
