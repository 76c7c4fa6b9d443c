package org.exsockets.aio;

import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.Selector;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.exsockets.jdk.SecurityManagers;
import org.exsockets.jdk.Threads;
import org.exsockets.observe.Log;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a group. Each runs the same loop. It runs a handler that waits in the queue. If there is none it
 * leads: it selects, completes operations and runs their handlers. If another thread leads it follows: it sleeps.
 *
 * <p>A fixed pool has as many loops as threads. Any other executor has as many as were asked for when the group was
 * made, and the <em>dispatcher</em>, a thread of our own that hands handlers to the executor instead of running them.
 * The dispatcher leads only if no loop is free.
 *
 * <p>Waking another thread costs more than most handlers take. The leader therefore usually runs handlers itself, then
 * selects again; a follower checks that no handler blocks the leader ({@link Leadership}). If handlers are long, the
 * leader gives the lead to another thread first, as the JDK always does.
 */
final class GroupThreads {
    /** Where the threads of a group come from. */
    enum PoolKind {
        /** Made for the group, with a fixed number of threads. */
        FIXED,

        /** That of the default group. */
        DEFAULT,

        /** The program's executor, which may take no more tasks at any time. */
        GIVEN
    }

    private static final AtomicInteger GROUPS = new AtomicInteger();

    /** Limit of handlers run after a selection beyond those it has found: other threads may add some. */
    private static final int EXTRA_HANDLERS = 16;

    private final AsynchronousChannelGroup group;
    final ExecutorService executor;
    private final int waitingTasks;
    private final PoolKind kind;
    private final boolean dispatching;
    final GroupSelector selector;
    private final Leadership leadership;

    /** Handlers to run. Adding one may have to wake a thread, see {@link #wakeForTask}. */
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Loops that have not ended; the last one cleans up. */
    private final AtomicInteger loops = new AtomicInteger();

    /** No channel is left and none is added: loops run what is in the queue, and end. */
    private volatile boolean ending;

    /** @param waitingTasks of the executor that run loops; unless it is FIXED, there is a dispatcher, too */
    GroupThreads(
            AsynchronousChannelGroup group,
            Selector selector,
            ExecutorService executor,
            int waitingTasks,
            PoolKind kind) {
        this.group = group;
        this.selector = new GroupSelector(selector);
        this.executor = executor;
        this.waitingTasks = waitingTasks;
        this.kind = kind;
        this.dispatching = kind != PoolKind.FIXED;
        this.leadership = new Leadership(waitingTasks + (dispatching ? 1 : 0) == 1);
    }

    /** {@return whether no executor of the program runs the handlers, nor that of the default group} */
    boolean areFixed() {
        return !dispatching;
    }

    void start() {
        loops.set(waitingTasks + (dispatching ? 1 : 0));
        if (dispatching) {
            Threads.ofHandlers("exs-channel-group-" + GROUPS.incrementAndGet(), new Loop(true))
                    .start();
        }
        for (int i = 0; i < waitingTasks; i++) {
            try {
                executor.execute(new Loop(false));
            } catch (RejectedExecutionException e) {
                loops.decrementAndGet(); // As in the JDK, a group may have an executor that is shut down.
            }
        }
    }

    /** Wakes the selector: interest or deadline has changed. The leader itself selects again anyway. Any thread. */
    void selectorChanged() {
        HandlerThread here = HandlerThread.current();
        if (here == null || here.group != group || !leadership.isLed(here.turn)) {
            selector.inner.wakeup();
        }
    }

    /**
     * Runs {@code task} in a thread of the group.
     *
     * @throws ShutdownChannelGroupException if its threads have ended, or the program's executor takes no more tasks:
     *     it is called here, so that the program gets the exception
     */
    void submit(Runnable task) {
        if (ending) {
            throw new ShutdownChannelGroupException();
        }
        if (kind == PoolKind.GIVEN) {
            try {
                execute(task);
            } catch (RejectedExecutionException e) {
                throw new ShutdownChannelGroupException();
            }
            return;
        }
        tasks.add(task);
        // The last loop ends, then looks at the tasks: it sees the task, or this thread sees its end.
        if (ending && loops.get() == 0 && tasks.remove(task)) {
            throw new ShutdownChannelGroupException();
        }
        wakeForTask();
    }

    private void execute(Runnable handler) {
        executor.execute(() -> HandlerThread.run(group, handler));
    }

    /**
     * The caller has added a task, then looks at the phase; the leader sets the phase, then looks at the tasks; a
     * follower counts itself as asleep, then looks at both. A leader that runs handlers looks at the tasks afterwards,
     * and is watched.
     */
    private void wakeForTask() {
        if (leadership.selecting()) {
            selector.inner.wakeup();
        } else if (leadership.vacant()) {
            leadership.wakeFollower();
        }
    }

    /** No channel is left. */
    void end() {
        ending = true;
        selector.inner.wakeup();
        leadership.wakeAll(waitingTasks + 1);
    }

    private final class Loop implements Runnable {
        private final boolean dispatches;

        /** Handlers to run, as a selection has found them. */
        private final List<Runnable> completed = new ArrayList<>();

        /** Null for the dispatcher, which runs no handlers. */
        private @Nullable HandlerThread self;

        /** The turn in which this loop leads. */
        private long turn;

        Loop(boolean dispatches) {
            this.dispatches = dispatches;
        }

        @Override
        public void run() {
            if (dispatches) {
                dispatch();
                return;
            }
            HandlerThread entered = HandlerThread.enter(group);
            self = entered;
            boolean inOrder = false;
            try {
                while (step()) {
                    entered.startOver();
                }
                inOrder = true;
            } finally {
                HandlerThread.leave();
                queueCompleted(); // Of operations completed before the failure.
                leadership.giveUp(turn);
                if (inOrder) {
                    ended();
                } else {
                    replace();
                }
            }
        }

        /** Goes on after an exception, which is our fault, not a handler's: channels depend on the dispatcher. */
        private void dispatch() {
            while (true) {
                try {
                    while (step()) {
                        continue;
                    }
                    break;
                } catch (RuntimeException | Error e) {
                    Log.error("channel group: " + e, e);
                    queueCompleted();
                    leadership.giveUp(turn);
                }
            }
            ended();
        }

        /** {@return false if this loop is to end} */
        private boolean step() {
            // Before the look at the tasks. If a task is added later, submit or the last loop finds it.
            boolean last = ending;
            Runnable task = tasks.poll();
            if (task != null) {
                runFollowing(task);
            } else if (last) {
                return false;
            } else if ((turn = leadership.tryLead(dispatches)) != 0) {
                lead();
            } else {
                follow();
            }
            return true;
        }

        private void follow() {
            if (leadership.beginSleep(dispatches)) {
                selector.inner.wakeup(); // The dispatcher leads, and can offer this thread the lead.
            }
            try {
                if (!ending && tasks.isEmpty()) {
                    leadership.sleep(dispatches);
                }
            } finally {
                leadership.endSleep(dispatches);
            }
        }

        private void runFollowing(Runnable task) {
            if (dispatches) {
                handToExecutor(task);
                return;
            }
            long startNs = leadership.beginTask();
            call(task);
            leadership.learn(startNs, 1);
        }

        @SuppressWarnings("NullAway") // Not the dispatcher.
        private void call(Runnable handler) {
            self.startOver();
            handler.run();
        }

        private void lead() {
            if (self != null) {
                self.turn = turn;
            }
            while (!ending || !tasks.isEmpty()) {
                if (dispatches && leadership.offer(turn)) {
                    return;
                }
                Thread.interrupted(); // An interrupt left by a handler would keep the selector awake.
                selector.select(!tasks.isEmpty(), completed);
                if (completed.isEmpty() && tasks.isEmpty()) {
                    continue;
                }
                if (dispatches) {
                    dispatchAll();
                } else if (!runLeading()) {
                    return;
                }
            }
            leadership.giveUp(turn);
        }

        private void queueCompleted() {
            tasks.addAll(completed);
            completed.clear();
        }

        private void dispatchAll() {
            queueCompleted();
            for (Runnable task; (task = tasks.poll()) != null; ) {
                handToExecutor(task);
            }
        }

        /** {@return whether this thread still leads} */
        private boolean runLeading() {
            int found = completed.size();
            Runnable only = found == 1 && tasks.isEmpty() ? completed.remove(0) : null;
            queueCompleted();
            if (leadership.handOver(turn)) {
                if (only != null) {
                    runFollowing(only);
                }
                return false;
            }
            long startNs = leadership.beginHandlers(turn, found);
            int ran = 0;
            if (only != null) {
                call(only);
                ran = 1;
            } else {
                for (Runnable task; ran < found + EXTRA_HANDLERS && (task = tasks.poll()) != null; ran++) {
                    call(task);
                }
            }
            leadership.learn(startNs, ran);
            return leadership.endHandlers(turn);
        }

        private void handToExecutor(Runnable handler) {
            try {
                execute(handler);
            } catch (RejectedExecutionException e) {
                Log.warn("channel group: its executor takes no more tasks, a handler is not run: " + e.getMessage());
            }
        }

        /** A handler's exception ends its thread, where the program can see it; another thread takes its place. */
        private void replace() {
            try {
                executor.execute(new Loop(false));
            } catch (RejectedExecutionException e) {
                Log.warn(
                        "channel group: its executor takes no more tasks, a thread is not replaced: " + e.getMessage());
                ended();
            }
        }

        private void ended() {
            if (loops.decrementAndGet() == 0) {
                for (Runnable task; (task = tasks.poll()) != null; ) {
                    handToExecutor(task);
                }
                selector.close();
                SecurityManagers.asOurselves(executor::shutdown);
            }
        }
    }
}
