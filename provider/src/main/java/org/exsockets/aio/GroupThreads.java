package org.exsockets.aio;

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
 * <p>A fixed pool has as many loops as threads. A pool that grows has as many as were asked for when the group was made,
 * and gets another one whenever one begins to run handlers and no other is free; those beyond the first end when they
 * are not needed. For any other executor, or where it takes no tasks, the only loop is the <em>dispatcher</em>, a thread
 * of our own that hands handlers to the executor instead of running them.
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

    final ExecutorService executor;
    private final int waitingTasks;
    private final PoolKind kind;
    final GroupSelector selector;
    private final Leadership leadership;

    /** Handlers to run. Adding one may have to wake a thread, see {@link #wakeForTask}. */
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Loops that have not ended; the last one cleans up. */
    private final AtomicInteger loops = new AtomicInteger();

    /** No channel is left and none is added: loops run what is in the queue, and end. */
    private volatile boolean ending;

    /** @param waitingTasks of the executor, which is taken over, that run loops, at first; 0: there is a dispatcher */
    GroupThreads(Selector selector, ExecutorService executor, int waitingTasks, PoolKind kind) {
        this.selector = new GroupSelector(selector);
        this.executor = executor;
        this.waitingTasks = waitingTasks;
        this.kind = kind;
        this.leadership = new Leadership(waitingTasks == 0 || waitingTasks == 1 && areFixed());
    }

    /** {@return whether no executor of the program runs the handlers, nor that of the default group} */
    boolean areFixed() {
        return kind == PoolKind.FIXED;
    }

    void start() {
        if (waitingTasks == 0) {
            startDispatcher();
        }
        for (int i = 0; i < waitingTasks; i++) {
            startLoop();
        }
    }

    private void startDispatcher() {
        loops.incrementAndGet();
        Threads.ofHandlers("exs-channel-group-" + GROUPS.incrementAndGet(), new Loop(true))
                .start();
    }

    private void startLoop() {
        loops.incrementAndGet();
        leadership.beginSleep();
        boolean started = false;
        try {
            executor.execute(new Loop(false));
            started = true;
        } catch (RejectedExecutionException e) {
            Log.debug("channel group: its executor takes no more tasks"); // As in the JDK, a group may have such a one.
        } finally {
            if (!started) {
                leadership.endSleep();
                if (loops.decrementAndGet() == 0) {
                    startDispatcher(); // Channels depend on a loop.
                }
            }
        }
    }

    /** A loop begins to run handlers. */
    private void growIfAllBusy() {
        if (!areFixed() && !ending && !leadership.anyAsleep()) {
            try {
                startLoop();
            } catch (RuntimeException | OutOfMemoryError e) {
                Log.warnOnce(
                        "channel group threads",
                        "channel group: no more threads to be had, handlers may have to wait: " + e);
            }
        }
    }

    /** Wakes the selector: interest or deadline has changed. The leader itself selects again anyway. Any thread. */
    void selectorChanged() {
        HandlerThread here = HandlerThread.current();
        if (here == null || here.threads != this || !leadership.isLed(here.term)) {
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
        executor.execute(() -> HandlerThread.run(this, handler));
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
        leadership.wake.release(loops.get());
    }

    private final class Loop implements Runnable {
        private final boolean dispatches;

        /** Handlers to run, as a selection has found them. */
        private final List<Runnable> completed = new ArrayList<>();

        /** Null for the dispatcher, which runs no handlers. */
        private @Nullable HandlerThread self;

        /** The term in which this loop leads. */
        private long term;

        Loop(boolean dispatches) {
            this.dispatches = dispatches;
        }

        @Override
        public void run() {
            if (dispatches) {
                dispatch();
                return;
            }
            leadership.endSleep();
            HandlerThread entered = HandlerThread.enter(GroupThreads.this);
            self = entered;
            boolean inOrder = false;
            try {
                while (step()) {
                    entered.startOver();
                }
                inOrder = true;
            } finally {
                HandlerThread.leave();
                if (!inOrder) { // A handler's exception ends its thread, where the program can see it.
                    try {
                        recover();
                    } finally {
                        loops.decrementAndGet();
                        startLoop();
                    }
                }
            }
        }

        /** Goes on after an exception, which is our fault, not a handler's: channels depend on the dispatcher. */
        private void dispatch() {
            boolean failed = false;
            for (boolean goesOn = true; goesOn; ) {
                try {
                    if (failed) {
                        recover(); // Again and again, if there is no memory for it.
                        failed = false;
                    }
                    goesOn = step();
                } catch (RuntimeException | Error e) {
                    failed = true;
                    Log.error("channel group", e);
                }
            }
        }

        /** After a failure: leaves to others what was completed before it, and the lead. */
        private void recover() {
            try {
                queueCompleted();
            } finally {
                leadership.giveUp(term);
            }
        }

        /** {@return false if this loop has ended} */
        private boolean step() {
            // Before the look at the tasks. If a task is added later, submit or the last loop finds it.
            boolean last = ending;
            Runnable task = tasks.poll();
            if (task != null) {
                runFollowing(task);
            } else if (last) {
                ended();
                return false;
            } else if ((term = leadership.tryLead()) != 0) {
                lead();
            } else if (isSpare()) {
                return false;
            } else {
                follow();
            }
            return true;
        }

        /** {@return whether the pool has grown, and others are free; this loop does not count any more then} */
        private boolean isSpare() {
            int all = loops.get();
            return all > waitingTasks && leadership.anyAsleep() && loops.compareAndSet(all, all - 1);
        }

        /**
         * Two loops may both have found nobody asleep, each before the other was counted. Who is counted, and finds another
         * one and too many of them, does not sleep: it is asked again whether it is spare.
         */
        private void follow() {
            leadership.beginSleep();
            try {
                boolean tooMany = loops.get() > waitingTasks && leadership.othersAsleep();
                if (!ending && tasks.isEmpty() && !tooMany) {
                    leadership.sleep();
                }
            } finally {
                leadership.endSleep();
            }
        }

        private void runFollowing(Runnable task) {
            if (dispatches) {
                handToExecutor(task);
                return;
            }
            growIfAllBusy();
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
                self.term = term;
            }
            while (!ending || !tasks.isEmpty()) {
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
            leadership.giveUp(term);
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
            if (leadership.handOver(term)) {
                if (only != null) {
                    runFollowing(only);
                }
                return false;
            }
            growIfAllBusy();
            long startNs = leadership.beginHandlers(term, found);
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
            return leadership.endHandlers(term);
        }

        private void handToExecutor(Runnable handler) {
            try {
                execute(handler);
            } catch (RejectedExecutionException e) {
                Log.warn("channel group: its executor takes no more tasks, a handler is not run: " + e.getMessage());
            }
        }

        private void ended() {
            if (loops.decrementAndGet() == 0) {
                dispatchAll();
                selector.close();
                SecurityManagers.asOurselves(executor::shutdown);
            }
        }
    }
}
