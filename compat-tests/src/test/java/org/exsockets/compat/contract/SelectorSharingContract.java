package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One channel in several selectors, and selectors that several threads register with, change and wake at once. */
@Tag("fallback")
@Tag("noagent")
class SelectorSharingContract extends Contract {
    private static final int THREADS = 4;
    private static final int CHANNELS = 40;

    @Test
    void registrationsOfManyThreadsDuringSelectionsAllTakeEffect() throws Exception {
        List<SocketChannel> channels = channels();
        Selector selector = closing(Selector.open());
        Set<SelectionKey> seen = ConcurrentHashMap.newKeySet();
        Background<Boolean> loop = selectUntil(selector, () -> seen.size() == CHANNELS, key -> {
            seen.add(key);
            key.interestOps(0);
        });
        inParallel(channels, channel -> {
            channel.register(selector, OP_WRITE);
            selector.wakeup();
        });
        assertTrue(loop.result());
        assertEquals(new HashSet<>(selector.keys()), seen);
    }

    @Test
    void interestChangesOfManyThreadsDuringSelectionsAllTakeEffect() throws Exception {
        Selector selector = closing(Selector.open());
        List<SocketChannel> channels = channels();
        for (SocketChannel channel : channels) {
            channel.register(selector, 0);
        }
        Set<SelectionKey> seen = ConcurrentHashMap.newKeySet();
        Background<Boolean> loop = selectUntil(selector, () -> seen.size() == CHANNELS, key -> {
            seen.add(key);
            key.interestOps(0);
        });
        inParallel(channels, channel -> {
            SelectionKey key = channel.keyFor(selector);
            for (int i = 0; i < 50; i++) {
                key.interestOps(OP_READ);
                key.interestOpsAnd(0);
            }
            key.interestOpsOr(OP_WRITE);
            selector.wakeup();
        });
        assertTrue(loop.result());
    }

    @Test
    void cancellationsOfManyThreadsDuringSelectionsAllTakeEffect() throws Exception {
        List<SocketChannel> channels = channels();
        assertAllLeave(channels, (selector, channel) -> channel.keyFor(selector).cancel());
        for (SocketChannel channel : channels) {
            assertFalse(channel.isRegistered());
            channel.configureBlocking(true);
        }
    }

    @Test
    void channelsClosedByManyThreadsDuringSelectionsAllLeave() throws Exception {
        assertAllLeave(channels(), (selector, channel) -> channel.close());
    }

    private void assertAllLeave(List<SocketChannel> channels, Leaving leaving) throws Exception {
        Selector selector = closing(Selector.open());
        for (SocketChannel channel : channels) {
            channel.register(selector, OP_WRITE);
        }
        AtomicInteger gone = new AtomicInteger();
        Background<Boolean> loop =
                selectUntil(selector, () -> gone.get() == CHANNELS, SelectorSharingContract::isReady);
        inParallel(channels, channel -> {
            leaving.run(selector, channel);
            gone.incrementAndGet();
            selector.wakeup();
        });
        assertTrue(loop.result());
        assertEquals(0, selector.selectNow());
        assertTrue(selector.keys().isEmpty());
        assertTrue(selector.selectedKeys().isEmpty());
    }

    @Test
    void tasksHandedOverWithAWakeUpAreNeverForgotten() throws Exception {
        Selector selector = idleSelector();
        Queue<Integer> tasks = new ConcurrentLinkedQueue<>();
        int perThread = 500;
        Background<Integer> loop = Background.start(() -> {
            int done = 0;
            while (done < THREADS * perThread) {
                selector.select();
                while (tasks.poll() != null) {
                    done++;
                }
            }
            return done;
        });
        List<Background<Boolean>> givers = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            givers.add(Background.start(() -> {
                for (int i = 0; i < perThread; i++) {
                    tasks.add(i);
                    selector.wakeup();
                }
                return true;
            }));
        }
        for (Background<Boolean> giver : givers) {
            assertTrue(giver.result());
        }
        assertEquals(THREADS * perThread, loop.result());
    }

    @Test
    void selectorIsHandedFromThreadToThread() throws Exception {
        ChannelLink link = connectedChannel();
        Selector selector = registered(link.local(), OP_READ).selector();
        for (int i = 0; i < 10; i++) {
            Background<Integer> select = Background.start(() -> selector.select());
            link.remote().write(10);
            assertEquals(1, select.result());
            selector.selectedKeys().clear();
            readPattern(link.local(), i * 10L, i * 10L + 10);
        }
    }

    @Test
    void bytesEndTheSleepOfEverySelectorThatHasTheChannel() throws Exception {
        ChannelLink link = connectedChannel();
        List<Background<Integer>> selects = startSelects(3, link.local(), OP_READ);
        link.remote().write(1);
        assertOneEach(selects);
    }

    @Test
    void endOfStreamEndsTheSleepOfEverySelectorThatHasTheChannel() throws Exception {
        ChannelLink link = connectedChannel();
        List<Background<Integer>> selects = startSelects(3, link.local(), OP_READ);
        link.remote().close();
        assertOneEach(selects);
    }

    /** Starts to select in so many selectors of the channel's and returns when all sleep. */
    private List<Background<Integer>> startSelects(int count, SelectableChannel channel, int ops) throws Exception {
        List<Background<Integer>> selects = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            selects.add(startSelect(registered(channel, ops).selector()));
        }
        return selects;
    }

    private static void assertOneEach(List<Background<Integer>> selects) throws Exception {
        for (Background<Integer> select : selects) {
            assertEquals(1, select.result());
        }
    }

    @Test
    void connectionEndsTheSleepOfEverySelectorThatHasTheListener() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        List<Background<Integer>> selects = startSelects(2, listener, OP_ACCEPT);
        closing(SocketChannel.open(testAddress(port(listener))));
        assertOneEach(selects);
        closing(listener.accept());
    }

    @Test
    void closedChannelLeavesEverySelectorAtItsNextSelection() throws Exception {
        ChannelLink link = connectedChannel();
        List<Selector> selectors = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Selector selector = registered(link.local(), OP_READ | OP_WRITE).selector();
            selector.selectNow();
            selectors.add(selector);
        }
        link.local().close();
        assertFalse(link.local().isRegistered() && link.local().isOpen());
        assertEquals(0, link.remote().readToEnd());
        for (Selector selector : selectors) {
            assertEquals(1, selector.keys().size());
            selector.selectNow();
            assertTrue(selector.keys().isEmpty());
            assertTrue(selector.selectedKeys().isEmpty());
        }
    }

    @Test
    void closeOfOneSelectorLeavesTheChannelInTheOther() throws Exception {
        ChannelLink link = connectedChannel();
        Selector second = closing(Selector.open());
        Selector first = registered(link.local(), OP_READ).selector();
        SelectionKey key = register(link.local(), second, OP_READ);
        first.close();
        assertTrue(key.isValid());
        assertTrue(link.local().isRegistered());
        link.remote().write(1);
        awaitReady(key, OP_READ);
    }

    @Test
    void cancellationInOneSelectorLeavesTheKeyOfTheOther() throws Exception {
        ChannelLink link = connectedChannel();
        Selector first = closing(Selector.open());
        Selector second = closing(Selector.open());
        register(link.local(), first, OP_READ).cancel();
        SelectionKey key = register(link.local(), second, OP_READ);
        link.remote().write(1);
        awaitReady(key, OP_READ);
        assertEquals(0, first.selectNow());
        assertTrue(first.keys().isEmpty());
        assertTrue(key.isValid());
    }

    @Test
    void twoSelectorThreadsShareOneListener() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        listener.configureBlocking(false);
        AtomicInteger accepted = new AtomicInteger();
        List<Selector> selectors = List.of(closing(Selector.open()), closing(Selector.open()));
        List<Background<Boolean>> loops = new ArrayList<>();
        for (Selector selector : selectors) {
            listener.register(selector, OP_ACCEPT);
            loops.add(selectUntil(selector, () -> accepted.get() == CHANNELS, key -> {
                try (SocketChannel connection = listener.accept()) {
                    if (connection != null) {
                        accepted.incrementAndGet();
                        selectors.forEach(Selector::wakeup);
                    }
                }
            }));
        }
        for (int i = 0; i < CHANNELS; i++) {
            closing(SocketChannel.open(testAddress(port(listener))));
        }
        for (Background<Boolean> loop : loops) {
            assertTrue(loop.result());
        }
        assertEquals(CHANNELS, accepted.get());
    }

    @Test
    void interruptStatusDoesNotHideReadyKeys() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().write(1);
        awaitReady(key, OP_READ);
        Background<Boolean> interrupted = Background.start(() -> {
            Thread.currentThread().interrupt();
            return key.selector().select() == 1 && Thread.interrupted();
        });
        assertTrue(interrupted.result());
        assertTrue(key.selector().isOpen() && link.local().isOpen());
    }

    @Test
    void wakeUpDoesNotHideReadyKeys() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().write(1);
        awaitReady(key, OP_READ);
        key.selector().wakeup();
        assertEquals(1, key.selector().select());
    }

    @Test
    void readingInOneThreadWhileAnotherSelectsLosesNothing() throws Exception {
        ChannelLink link = connectedChannel();
        Selector selector = registered(link.local(), OP_READ).selector();
        long end = 400_000;
        AtomicInteger taken = new AtomicInteger();
        Background<Boolean> loop = selectUntil(selector, () -> taken.get() == end, key -> {});
        var write = link.remote().startWrite(end);
        ByteBuffer received = ByteBuffer.allocate((int) end);
        while (received.hasRemaining()) {
            if (link.local().read(received) > 0) {
                taken.set(received.position());
                selector.wakeup();
            }
        }
        PeerJvm.await(write);
        Pattern.check(0, received.flip());
        assertTrue(loop.result());
    }

    /** Connected, non-blocking. */
    private List<SocketChannel> channels() throws Exception {
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < CHANNELS / 2; i++) {
            ChannelPair pair = channelPair();
            channels.add(pair.client());
            channels.add(pair.server());
        }
        for (SocketChannel channel : channels) {
            channel.configureBlocking(false);
        }
        return channels;
    }

    /**
     * Selects on a thread of its own until a condition holds, which its owner makes known by a wake-up. No condition is what
     * selections themselves bring about: the JDK's may remove the last key as it begins, and then nothing ends it.
     */
    private static Background<Boolean> selectUntil(Selector selector, BooleanSupplier condition, OnKey action) {
        return Background.start(() -> {
            while (!condition.getAsBoolean()) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    action.run(key);
                }
                selector.selectedKeys().clear();
            }
            return true;
        });
    }

    private static void isReady(SelectionKey key) {
        try {
            assertTrue(key.isWritable());
        } catch (CancelledKeyException byAnotherThread) {
            assertFalse(key.isValid());
        }
    }

    private static void inParallel(List<SocketChannel> channels, OnChannel action) throws Exception {
        List<Background<Boolean>> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int first = t;
            threads.add(Background.start(() -> {
                for (int i = first; i < channels.size(); i += THREADS) {
                    action.run(channels.get(i));
                }
                return true;
            }));
        }
        for (Background<Boolean> thread : threads) {
            assertTrue(thread.result());
        }
    }

    /** What makes a channel leave a selector. */
    private interface Leaving {
        void run(Selector selector, SocketChannel channel) throws Exception;
    }

    /** What is done with a selected key. */
    private interface OnKey {
        void run(SelectionKey key) throws Exception;
    }

    /** What is done with a channel. */
    private interface OnChannel {
        void run(SocketChannel channel) throws Exception;
    }
}
