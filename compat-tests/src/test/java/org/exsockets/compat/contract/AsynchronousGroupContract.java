package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.exsockets.compat.harness.DefaultGroupThreads;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Told;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code AsynchronousChannelGroup}: which threads run handlers, and how groups end. */
@Tag("fallback")
@Tag("noagent")
class AsynchronousGroupContract extends AsynchronousContract {
    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    /** A handler of reads from a piece of code. */
    private record Reading(Consumer<Integer> action) implements CompletionHandler<Integer, Object> {
        @Override
        public void completed(Integer result, Object attachment) {
            action.accept(result);
        }

        @Override
        public void failed(Throwable failure, Object attachment) {
            action.accept(null);
        }
    }

    private static void sendByte(AsynchronousSocketChannel channel) throws Exception {
        assertEquals(1, get(channel.write(ByteBuffer.allocate(1))));
    }

    private static void onByte(AsynchronousSocketChannel channel, Runnable action) {
        channel.read(ByteBuffer.allocate(1), null, new Reading(n -> action.run()));
    }

    /** Sends a byte, and waits until a handler has been told of it. */
    private static Told<Integer> exchangeByte(AsynchronousPair pair) throws Throwable {
        Told<Integer> told = new Told<>();
        pair.server().read(ByteBuffer.allocate(1), null, told);
        sendByte(pair.client());
        assertEquals(1, told.result());
        return told;
    }

    /** Blocks the handler of a read until the latch is released, or the test ends. */
    private CountDownLatch blockHandler(AsynchronousPair pair) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        closing(release::countDown);
        onByte(pair.server(), () -> {
            entered.countDown();
            awaitQuietly(release);
        });
        sendByte(pair.client());
        Patience.await("entered", entered::await);
        return release;
    }

    // Threads.

    @Test
    void handlersOfAFixedGroupRunInItsThreads() throws Throwable {
        AsynchronousPair pair = pair(group(2), group(1));
        Told<Integer> read = new Told<>();
        pair.server().read(ByteBuffer.allocate(1), null, read);
        Told<Integer> write = new Told<>();
        pair.client().write(ByteBuffer.allocate(1), null, write);
        assertEquals(1, write.result());
        assertEquals(1, read.result());
        assertOfGroup(write);
        assertOfGroup(read);
        assertNotEquals(read.thread(), write.thread());
    }

    @Test
    void groupsAreExecutors() throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        ((Executor) group(1)).execute(() -> ran.complete(Thread.currentThread()));
        String name = Patience.get("the task", ran).getName();
        assertTrue(name.startsWith(GROUP_THREAD), name);
    }

    @Test
    void missingTaskIsRefusedByAFixedGroupAndEndsAThreadOfOthers() throws Exception {
        Executor fixed = (Executor) group(1);
        assertThrowsA(NullPointerException.class, () -> fixed.execute(null));
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        ExecutorService pool = Executors.newCachedThreadPool(task -> {
            Thread thread = FACTORY.newThread(task);
            thread.setUncaughtExceptionHandler((ended, failure) -> uncaught.complete(failure));
            return thread;
        });
        ((Executor) ending(AsynchronousChannelGroup.withCachedThreadPool(pool, 1))).execute(null);
        assertEquals(
                NullPointerException.class,
                Patience.get("the thread ends", uncaught).getClass());
    }

    @Test
    void whatIsDoneAtOnceIsNotToldInTheThreadThatAsked() throws Throwable {
        AsynchronousPair pair = pair();
        Told<Integer> empty = new Told<>();
        pair.client().read(ByteBuffer.allocate(0), null, empty);
        assertEquals(0, empty.result());
        assertNotEquals(Thread.currentThread(), empty.thread());
        assertOfGroup(empty);
    }

    @Test
    void handlerThatStartsWhatIsDoneAtOnceIsToldInItsOwnThread() throws Throwable {
        AsynchronousPair pair = pair(group(3), group(1));
        Told<Integer> inner = new Told<>();
        AtomicReference<Thread> outer = new AtomicReference<>();
        onByte(pair.client(), () -> {
            outer.set(Thread.currentThread());
            pair.client().write(ByteBuffer.allocate(1), null, inner);
        });
        sendByte(pair.server());
        assertEquals(1, inner.result());
        assertSame(outer.get(), inner.thread());
    }

    @Test
    void handlersThatCallEachOtherForeverDoNotFillTheStack() throws Exception {
        AsynchronousPair pair = pair(group(1), group(1));
        int times = 100_000;
        AtomicInteger depth = new AtomicInteger();
        AtomicInteger deepest = new AtomicInteger();
        AtomicInteger left = new AtomicInteger(times);
        CountDownLatch done = new CountDownLatch(1);
        pair.client().read(ByteBuffer.allocate(0), null, new Succeeding<Integer>() {
            @Override
            public void completed(Integer result, Object attachment) {
                deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
                if (left.decrementAndGet() > 0) {
                    pair.client().read(ByteBuffer.allocate(0), null, this);
                } else {
                    done.countDown();
                }
                depth.decrementAndGet();
            }
        });
        Patience.await("done", done::await);
        assertTrue(deepest.get() <= 17, "depth: " + deepest);
    }

    @Test
    void handlersOfOneThreadNeverOverlap() throws Exception {
        AsynchronousChannelGroup one = group(1);
        AsynchronousChannelGroup other = group(2);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(20);
        List<AsynchronousSocketChannel> senders = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            AsynchronousPair pair = pair(other, one);
            senders.add(pair.client());
            onByte(pair.server(), () -> {
                if (inside.incrementAndGet() > 1) {
                    overlaps.incrementAndGet();
                }
                for (int spin = 0; spin < 100_000; spin++) {
                    Thread.onSpinWait();
                }
                inside.decrementAndGet();
                done.countDown();
            });
        }
        for (AsynchronousSocketChannel sender : senders) {
            sendByte(sender);
        }
        Patience.await("done", done::await);
        assertEquals(0, overlaps.get());
    }

    @Test
    void handlerThatBlocksLeavesTheOtherThreadsToTheOthers() throws Throwable {
        AsynchronousChannelGroup two = group(2);
        AsynchronousChannelGroup other = group(1);
        AsynchronousPair blocked = pair(other, two);
        AsynchronousPair free = pair(other, two);
        blockHandler(blocked);
        for (int i = 0; i < 200; i++) {
            exchangeByte(free);
        }
    }

    @Test
    void handlersMayWaitForEachOtherInDifferentThreads() throws Exception {
        assertHandlersMeet(4, group(4));
    }

    private void assertHandlersMeet(int handlers, AsynchronousChannelGroup group) throws Exception {
        AsynchronousChannelGroup other = group(1);
        CountDownLatch all = new CountDownLatch(handlers);
        CountDownLatch over = new CountDownLatch(handlers);
        List<AsynchronousSocketChannel> senders = new ArrayList<>();
        for (int i = 0; i < handlers; i++) {
            AsynchronousPair pair = pair(other, group);
            senders.add(pair.client());
            onByte(pair.server(), () -> {
                all.countDown();
                awaitQuietly(all);
                over.countDown();
            });
        }
        for (AsynchronousSocketChannel sender : senders) {
            sendByte(sender);
        }
        Patience.await("over", over::await);
    }

    @Test
    void cachedPoolIsTheProgramsAsLongAsNoHandlerRuns() throws Throwable {
        ThreadPoolExecutor executor = (ThreadPoolExecutor) Executors.newCachedThreadPool(FACTORY);
        AsynchronousChannelGroup cached = ending(AsynchronousChannelGroup.withCachedThreadPool(executor, 2));
        assertEquals(0, executor.getPoolSize());
        AsynchronousPair pair = pair(group(1), cached);
        exchangeByte(pair);
        await("an idle pool", () -> executor.getActiveCount() == 0);
        executor.shutdown();
        Patience.await("executor ends", executor::awaitTermination);
    }

    @Test
    void cachedPoolThatWasShutDownBeforeGetsItsGroup() throws Exception {
        for (int initialSize : new int[] {-1, 0, 2}) {
            ExecutorService executor = Executors.newCachedThreadPool(FACTORY);
            executor.shutdown();
            AsynchronousChannelGroup cached =
                    ending(AsynchronousChannelGroup.withCachedThreadPool(executor, initialSize));
            assertFalse(cached.isShutdown());
        }
    }

    @Test
    void cachedPoolGrowsWhileHandlersBlock() throws Exception {
        AsynchronousChannelGroup cached =
                ending(AsynchronousChannelGroup.withCachedThreadPool(Executors.newCachedThreadPool(FACTORY), 2));
        assertHandlersMeet(7, cached);
    }

    @Test
    void cachedPoolWhoseThreadsWaitGrowsWhileHandlersBlockAndShrinks() throws Exception {
        ThreadPoolExecutor executor = (ThreadPoolExecutor) Executors.newCachedThreadPool(FACTORY);
        assertHandlersMeet(7, ending(AsynchronousChannelGroup.withCachedThreadPool(executor, -1)));
        int waiting = Runtime.getRuntime().availableProcessors();
        await("threads that wait", () -> executor.getActiveCount() <= Math.max(2, waiting));
    }

    /** It takes no more threads, but queues tasks. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0})
    void operationsEndWhileTheHandlersOfABoundedPoolBlock(int initialSize) throws Exception {
        AsynchronousChannelGroup bounded = ending(
                AsynchronousChannelGroup.withCachedThreadPool(Executors.newFixedThreadPool(1, FACTORY), initialSize));
        AsynchronousPair blocked = pair(group(1), bounded);
        AsynchronousPair free = pair(group(1), bounded);
        Future<Integer> read = free.server().read(ByteBuffer.allocate(1));
        CountDownLatch release = blockHandler(blocked);
        sendByte(free.client());
        assertEquals(1, get(read));
        release.countDown();
    }

    @Test
    void defaultGroupGrowsWhileHandlersBlock() throws Exception {
        assertHandlersMeet(7, null);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            Patience.await("latch", latch::await);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void handlersRunInTheGivenExecutor() throws Throwable {
        ExecutorService executor = Executors.newSingleThreadExecutor(FACTORY);
        assertHandlersRunIn(ending(AsynchronousChannelGroup.withThreadPool(executor)));
    }

    @Test
    void handlersRunInTheGivenCachedPool() throws Throwable {
        assertHandlersRunIn(
                ending(AsynchronousChannelGroup.withCachedThreadPool(Executors.newCachedThreadPool(FACTORY), 1)));
    }

    private void assertHandlersRunIn(AsynchronousChannelGroup group) throws Throwable {
        AsynchronousPair pair = pair(group(1), group);
        for (int i = 0; i < 50; i++) {
            assertOfGroup(exchangeByte(pair));
        }
    }

    @Test
    void threadsOfTheGivenExecutorInheritAsTheJdkHasThem() throws Exception {
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        ClassLoader own = new ClassLoader(before) {};
        here.setContextClassLoader(own);
        INHERITED.set("of the opener");
        AsynchronousChannelGroup group;
        try {
            group = ending(AsynchronousChannelGroup.withThreadPool(Executors.newCachedThreadPool(FACTORY)));
        } finally {
            INHERITED.remove();
            here.setContextClassLoader(before);
        }
        AsynchronousPair pair = pair(group(1), group);
        AtomicReference<ClassLoader> loader = new AtomicReference<>();
        AtomicReference<String> local = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        onByte(pair.server(), () -> {
            loader.set(Thread.currentThread().getContextClassLoader());
            local.set(INHERITED.get());
            done.countDown();
        });
        sendByte(pair.client());
        Patience.await("done", done::await);
        boolean inherits = Runtime.version().feature() < 25;
        assertSame(inherits ? own : ClassLoader.getSystemClassLoader(), loader.get());
        assertEquals(inherits ? "of the opener" : null, local.get());
    }

    @Test
    void channelsWithoutAGroupUseTheDefaultOne() throws Throwable {
        AsynchronousPair pair = pair(null, null);
        Told<Integer> told = exchangeByte(pair);
        assertTrue(
                told.thread().getName().startsWith(DefaultGroupThreads.NAME),
                told.thread().getName());
        assertTrue(told.thread().isDaemon());
    }

    @Test
    void exceptionOfAHandlerEndsItsThreadAndTheGroupGoesOn() throws Throwable {
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        AsynchronousChannelGroup group = ending(AsynchronousChannelGroup.withFixedThreadPool(1, task -> {
            Thread thread = FACTORY.newThread(task);
            thread.setUncaughtExceptionHandler((any, thrown) -> uncaught.set(thrown));
            return thread;
        }));
        AsynchronousPair pair = pair(group(1), group);
        AtomicReference<Thread> dying = new AtomicReference<>();
        onByte(pair.server(), () -> {
            dying.set(Thread.currentThread());
            throw new IllegalStateException("thrown by the handler");
        });
        sendByte(pair.client());
        await("uncaught exception", () -> uncaught.get() != null);
        assertEquals("thrown by the handler", uncaught.get().getMessage());
        assertNotEquals(dying.get(), exchangeByte(pair).thread());
    }

    @Test
    void interruptThatAHandlerLeavesBehindIsNotTheNextOnes() throws Exception {
        AsynchronousPair pair = pair(group(1), group(1));
        onByte(pair.server(), () -> Thread.currentThread().interrupt());
        sendByte(pair.client());
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        await("the first read", () -> {
            try {
                onByte(
                        pair.server(),
                        () -> interrupted.set(Thread.currentThread().isInterrupted()));
                return true;
            } catch (java.nio.channels.ReadPendingException notYet) {
                return false;
            }
        });
        sendByte(pair.client());
        await("the second handler", () -> interrupted.get() != null);
        assertFalse(interrupted.get());
    }

    // Which channels, and the end.

    @Test
    void groupOfAnotherProviderIsRefused() {
        AsynchronousChannelProvider provider = AsynchronousChannelProvider.provider();
        AsynchronousChannelGroup foreign = new AsynchronousChannelGroup(provider) {
            @Override
            public boolean isShutdown() {
                return false;
            }

            @Override
            public boolean isTerminated() {
                return false;
            }

            @Override
            public void shutdown() {}

            @Override
            public void shutdownNow() {}

            @Override
            public boolean awaitTermination(long timeout, TimeUnit unit) {
                return false;
            }
        };
        assertThrows(IllegalChannelGroupException.class, null, () -> AsynchronousSocketChannel.open(foreign));
        assertThrows(IllegalChannelGroupException.class, null, () -> AsynchronousServerSocketChannel.open(foreign));
    }

    @Test
    void channelsAndGroupsBelongToTheProvider() throws Exception {
        AsynchronousChannelProvider provider = AsynchronousChannelProvider.provider();
        assertSame(provider, AsynchronousChannelProvider.provider());
        AsynchronousChannelGroup group = group(1);
        assertSame(provider, group.provider());
        AsynchronousPair pair = pair(group, group);
        assertSame(provider, pair.client().provider());
        assertSame(provider, pair.server().provider());
    }

    @Test
    void impossibleGroupsAreRefused() {
        assertThrowsA(IllegalArgumentException.class, () -> AsynchronousChannelGroup.withFixedThreadPool(0, FACTORY));
        assertThrowsA(NullPointerException.class, () -> AsynchronousChannelGroup.withFixedThreadPool(1, null));
        assertThrowsA(NullPointerException.class, () -> AsynchronousChannelGroup.withThreadPool(null));
    }

    @Test
    void shutdownOfAnEmptyGroupEndsIt() throws Exception {
        AsynchronousChannelGroup group = group(2);
        assertFalse(group.isShutdown());
        assertFalse(group.isTerminated());
        group.shutdown();
        group.shutdown();
        assertTrue(group.isShutdown());
        Patience.await("group ends", group::awaitTermination);
        assertTrue(group.isTerminated());
    }

    @Test
    void shutdownGroupTakesNoNewChannels() throws Exception {
        assumeTrue(
                transport() != Transport.TCP, "each channel that is refused so leaves a descriptor of the JDK's open");
        AsynchronousChannelGroup group = group(1);
        channel(group);
        group.shutdown();
        assertThrows(ShutdownChannelGroupException.class, null, () -> AsynchronousSocketChannel.open(group));
        assertThrows(ShutdownChannelGroupException.class, null, () -> AsynchronousServerSocketChannel.open(group));
    }

    @Test
    void channelsOfAShutdownGroupGoOnUntilTheyAreClosed() throws Throwable {
        AsynchronousChannelGroup group = group(2);
        AsynchronousPair pair = pair(group(1), group);
        group.shutdown();
        assertTrue(group.isShutdown());
        assertFalse(group.awaitTermination(20, TimeUnit.MILLISECONDS));
        exchangeByte(pair);
        assertFalse(group.isTerminated());
        closeWhatTheTestOpened();
        assertTrue(group.isTerminated());
    }

    @Test
    void shutdownNowClosesEverything() throws Exception {
        AsynchronousChannelGroup group = group(2);
        AsynchronousPair pair = pair(group(1), group);
        AsynchronousServerSocketChannel listener = listener(group);
        Future<AsynchronousSocketChannel> accept = listener.accept();
        Told<Integer> read = new Told<>();
        pair.server().read(ByteBuffer.allocate(1), null, read);
        group.shutdownNow();
        assertFalse(pair.server().isOpen());
        assertFalse(listener.isOpen());
        assertThrown(AsynchronousCloseException.class, null, failure(accept));
        assertThrown(AsynchronousCloseException.class, null, read.failure());
        Patience.await("group ends", group::awaitTermination);
        assertTrue(group.isTerminated());
        assertEquals(-1, get(pair.client().read(ByteBuffer.allocate(1))));
    }

    @Test
    void groupEndsOnlyWhenItsHandlersHaveReturned() throws Exception {
        AsynchronousChannelGroup group = group(1);
        AsynchronousPair pair = pair(group(1), group);
        CountDownLatch release = blockHandler(pair);
        group.shutdownNow();
        assertFalse(group.awaitTermination(50, TimeUnit.MILLISECONDS));
        assertFalse(group.isTerminated());
        release.countDown();
        Patience.await("group ends", group::awaitTermination);
    }

    @Test
    void endOfAGroupShutsItsExecutorDown() throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool(FACTORY);
        AsynchronousChannelGroup group = ending(AsynchronousChannelGroup.withThreadPool(executor));
        channel(group).close();
        assertFalse(executor.isShutdown());
        group.shutdown();
        Patience.await("group ends", group::awaitTermination);
        assertTrue(executor.isTerminated());
    }

    @Test
    void executorThatTakesNoMoreTasksIsNoticedByTheProgram() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(1, FACTORY);
        AsynchronousChannelGroup group = ending(AsynchronousChannelGroup.withThreadPool(executor));
        AsynchronousSocketChannel channel = pair(group, group(1)).client();
        executor.shutdown();
        assertThrows(
                ShutdownChannelGroupException.class,
                null,
                () -> channel.write(ByteBuffer.allocate(1), null, new Told<>()));
        channel.read(ByteBuffer.allocate(1), null, new Told<>());
        assertThrows(ShutdownChannelGroupException.class, null, channel::close);
        assertFalse(channel.isOpen());
    }

    @Test
    void connectionAcceptedInAShutdownGroupIsClosed() throws Exception {
        AsynchronousChannelGroup group = group(1);
        AsynchronousServerSocketChannel listener = listener(group);
        Future<AsynchronousSocketChannel> accept = listener.accept();
        group.shutdown();
        SocketChannel client = closing(SocketChannel.open(listener.getLocalAddress()));
        Throwable failure = failure(accept);
        assertEquals(IOException.class, failure.getClass());
        assertEquals(ShutdownChannelGroupException.class, failure.getCause().getClass());
        assertEquals(-1, client.read(ByteBuffer.allocate(1)));
        assertTrue(listener.isOpen());
    }

    @Test
    void terminatedGroupTellsNoHandler() throws Exception {
        AsynchronousChannelGroup group = group(1);
        AsynchronousSocketChannel channel = channel(group);
        group.shutdownNow();
        Patience.await("group ends", group::awaitTermination);
        assertThrows(
                ShutdownChannelGroupException.class, null, () -> channel.connect(testAddress(1), null, new Told<>()));
        assertEquals(
                java.nio.channels.ClosedChannelException.class,
                failure(channel.connect(testAddress(1))).getClass());
    }

    @Test
    void handlerMayCloseItsChannelAndShutItsGroupDown() throws Exception {
        AsynchronousChannelGroup group = group(1);
        AsynchronousPair pair = pair(group(1), group);
        CountDownLatch over = new CountDownLatch(1);
        onByte(pair.server(), () -> {
            try {
                pair.server().close();
                group.shutdownNow();
                over.countDown();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        sendByte(pair.client());
        Patience.await("over", over::await);
        Patience.await("group ends", group::awaitTermination);
    }
}
