package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Selectors used by one thread while others wake it, interrupt it, register and change interest. */
@Tag("fallback")
@Tag("noagent")
class SelectorThreadsContract extends Contract {
    @Test
    void wakeUpEndsASelectInProgress() throws Exception {
        Selector selector = idleSelector();
        Background<Integer> select = startSelect(selector);
        assertSame(selector, selector.wakeup());
        assertEquals(0, select.result());
    }

    @Test
    void wakeUpBeforeSelectEndsTheNextSelectAndOnlyThat() throws Exception {
        Selector selector = idleSelector();
        selector.wakeup();
        assertEquals(0, selector.select());
        Background<Integer> second = startSelect(selector);
        selector.wakeup();
        assertEquals(0, second.result());
    }

    @Test
    void twoWakeUpsBetweenSelectsAreOne() throws Exception {
        Selector selector = idleSelector();
        selector.wakeup();
        selector.wakeup();
        assertEquals(0, selector.select());
        long startNs = System.nanoTime();
        assertEquals(0, selector.select(60));
        assertTrue(System.nanoTime() - startNs >= 58_000_000);
    }

    @Test
    void selectNowConsumesAWakeUp() throws Exception {
        Selector selector = idleSelector();
        selector.wakeup();
        selector.selectNow();
        long startNs = System.nanoTime();
        assertEquals(0, selector.select(60));
        assertTrue(System.nanoTime() - startNs >= 58_000_000);
    }

    @Test
    void wakeUpEndsASelectWithATimeout() throws Exception {
        Selector selector = idleSelector();
        Background<Integer> select =
                Background.start(() -> selector.select(Patience.NEVER_MS)).awaitBlockedIn("select");
        selector.wakeup();
        assertEquals(0, select.result());
    }

    @Test
    void keyThatIsCancelledMeanwhileEndsSelectWithoutBeingSelected() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        Background<Integer> select = startSelect(key.selector());
        key.cancel();
        link.remote().write(1);
        assertEquals(0, select.result());
        assertTrue(key.selector().keys().isEmpty());
    }

    @Test
    void channelThatIsShutAfterItsKeyWasCancelledEndsSelectWithoutBeingSelected() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        Background<Integer> select = startSelect(key.selector());
        key.cancel();
        link.local().shutdownInput();
        assertEquals(0, select.result());
        assertTrue(key.selector().keys().isEmpty());
    }

    @Test
    void interruptEndsSelectAndKeepsTheSelectorOpen() throws Exception {
        Selector selector = idleSelector();
        Background<Boolean> select = Background.start(() -> {
            selector.select();
            return Thread.currentThread().isInterrupted();
        });
        select.awaitBlockedIn("select").thread().interrupt();
        assertTrue(select.result());
        assertTrue(selector.isOpen());
    }

    @Test
    void interruptStatusMakesSelectReturnAtOnceAndStays() throws Exception {
        Selector selector = idleSelector();
        Thread.currentThread().interrupt();
        assertEquals(0, selector.select());
        assertTrue(Thread.interrupted());
    }

    @Test
    void arrivingBytesEndASleepingSelect() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        Background<Integer> select = startSelect(key.selector());
        link.remote().write(1);
        assertEquals(1, select.result());
        assertTrue(key.isReadable());
    }

    @Test
    void arrivingConnectionEndsASleepingSelect() throws Exception {
        var listener = listeningChannel();
        Selector selector = registered(listener, SelectionKey.OP_ACCEPT).selector();
        Background<Integer> select = startSelect(selector);
        closing(SocketChannel.open(testAddress(port(listener))));
        assertEquals(1, select.result());
    }

    @Test
    void roomInThePeerEndsASleepingSelect() throws Exception {
        ChannelLink link = connectedChannel();
        link.local().configureBlocking(false);
        long filled = fill(link.local(), 0);
        SelectionKey key = registered(link.local(), OP_WRITE);
        Background<Integer> select = startSelect(key.selector());
        link.remote().read(filled);
        assertEquals(1, select.result());
        assertTrue(key.isWritable());
    }

    @Test
    void resetEndsASleepingSelect() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        Background<Integer> select = startSelect(key.selector());
        link.remote().abort();
        assertEquals(1, select.result());
        assertTrue(key.isReadable());
    }

    /** Starts to select until a key is, and returns when that sleeps. */
    private static Background<Integer> startSelectOfAKey(Selector selector) throws Exception {
        Background<Integer> select = Background.start(() -> {
            int selected;
            do {
                selected = selector.select();
            } while (selected == 0);
            return selected;
        });
        return select.awaitBlockedIn("select");
    }

    @Test
    void interestAddedDuringSelectTakesEffectAfterAWakeUp() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), 0);
        link.remote().write(10);
        Background<Integer> select = startSelectOfAKey(key.selector());
        key.interestOps(OP_READ);
        key.selector().wakeup();
        assertEquals(1, select.result());
        assertEquals(OP_READ, key.readyOps());
    }

    @Test
    void interestRemovedDuringSelectIsNotReportedAfterAWakeUp() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        Background<Integer> first = startSelect(key.selector());
        key.interestOps(0);
        key.selector().wakeup();
        assertEquals(0, first.result());
        link.remote().write(10);
        assertEquals(0, key.selector().select(50));
    }

    @Test
    void channelRegisteredDuringSelectIsSelectedAfterAWakeUp() throws Exception {
        ChannelLink link = connectedChannel();
        Selector selector = idleSelector();
        Background<Integer> select = startSelectOfAKey(selector);
        SelectionKey key = register(link.local(), selector, OP_READ);
        selector.wakeup();
        link.remote().write(10);
        assertEquals(1, select.result());
        assertTrue(key.isReadable());
    }

    @Test
    void readyChannelRegisteredDuringSelectTakesPartInTheNextOnly() throws Exception {
        ChannelLink link = connectedChannel();
        link.remote().write(10);
        awaitReadable(link.local());
        Selector selector = idleSelector();
        Background<Integer> select = startSelect(selector);
        SelectionKey key = register(link.local(), selector, OP_READ);
        selector.wakeup();
        assertEquals(0, select.result());
        assertEquals(1, selector.select());
        assertTrue(key.isReadable());
    }

    @Test
    void interestAddedDuringSelectIsForTheNextOnly() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        Background<Integer> select = startSelect(key.selector());
        key.interestOpsOr(OP_WRITE);
        link.remote().write(10);
        assertEquals(1, select.result());
        assertEquals(OP_READ, key.readyOps());
        assertEquals(1, key.selector().select());
        assertEquals(OP_READ | OP_WRITE, key.readyOps());
    }

    @Test
    void whatHasLostItsInterestDuringSelectEndsItWithoutAKey() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        Background<Integer> select = startSelect(key.selector());
        key.interestOps(0);
        link.remote().write(10);
        assertEquals(0, select.result());
        assertTrue(key.selector().selectedKeys().isEmpty());
    }

    @Test
    void interestTakenAwayAndGivenBackDuringSelectIsServedByIt() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        Background<Integer> select = startSelect(key.selector());
        key.interestOps(0);
        key.interestOps(OP_READ);
        link.remote().write(10);
        assertEquals(1, select.result());
        assertTrue(key.isReadable());
    }

    private void awaitReadable(SocketChannel channel) throws Exception {
        SelectionKey key = registered(channel, OP_READ);
        awaitReady(key, OP_READ);
    }

    @Test
    void oneThreadReadsWhatAnotherSelected() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        link.remote().startWrite(100_000);
        long at = 0;
        while (at < 100_000) {
            awaitReady(key, OP_READ);
            long from = at;
            at += Background.start(() -> {
                        var buffer = ByteBuffer.allocate(4096);
                        int n = link.local().read(buffer);
                        Pattern.check(from, buffer.flip());
                        return n;
                    })
                    .result();
        }
        assertFalse(at > 100_000);
    }
}
