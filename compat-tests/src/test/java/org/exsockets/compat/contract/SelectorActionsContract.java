package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Selections that hand their keys to an action: what the action may do, and what becomes of its exceptions. */
@Tag("fallback")
@Tag("noagent")
class SelectorActionsContract extends Contract {
    private static final Consumer<SelectionKey> NONE = key -> {
        throw new AssertionError("no key is ready: " + key);
    };

    @Test
    void actionSeesEachReadyKeyOnce() throws Exception {
        Selector selector = closing(Selector.open());
        Set<SelectionKey> ready = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            ready.add(register(connectedChannel().local(), selector, OP_WRITE));
            register(connectedChannel().local(), selector, OP_READ);
        }
        List<SelectionKey> handed = new ArrayList<>();
        assertEquals(10, selector.selectNow(handed::add));
        assertEquals(10, handed.size());
        assertEquals(ready, new HashSet<>(handed));
    }

    @Test
    void actionIsNotCalledWithoutReadyKeys() throws Exception {
        Selector selector = idleSelector();
        assertEquals(0, selector.selectNow(NONE));
        assertEquals(0, selector.select(NONE, 30));
    }

    @Test
    void actionMayCancelItsKey() throws Exception {
        SelectionKey key = registered(connectedChannel().local(), OP_WRITE);
        assertEquals(1, key.selector().select(SelectionKey::cancel, Patience.NEVER_MS));
        assertFalse(key.isValid());
        key.selector().selectNow(NONE);
        assertTrue(key.selector().keys().isEmpty());
    }

    @Test
    void actionMayCloseItsChannel() throws Exception {
        ChannelLink link = connectedChannel();
        Selector selector = registered(link.local(), OP_WRITE).selector();
        assertEquals(1, selector.select(key -> unchecked(() -> key.channel().close()), Patience.NEVER_MS));
        selector.selectNow(NONE);
        assertTrue(selector.keys().isEmpty());
        assertEquals(0, link.remote().readToEnd());
    }

    @Test
    void actionMayCancelOtherKeysWhichItSeesAllTheSame() throws Exception {
        Selector selector = closing(Selector.open());
        for (int i = 0; i < 5; i++) {
            register(connectedChannel().local(), selector, OP_WRITE);
        }
        List<SelectionKey> handed = new ArrayList<>();
        int told = selector.selectNow(key -> {
            handed.add(key);
            selector.keys().forEach(SelectionKey::cancel);
        });
        assertEquals(5, told);
        assertEquals(selector.keys(), new HashSet<>(handed));
        selector.selectNow(NONE);
        assertTrue(selector.keys().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {OP_WRITE, OP_WRITE | OP_READ})
    void actionMayCloseOtherChannelsWhichAreNotHandedOutThen(int interest) throws Exception {
        Selector selector = closing(Selector.open());
        for (int i = 0; i < 5; i++) {
            register(connectedChannel().local(), selector, interest);
        }
        List<SelectionKey> handed = new ArrayList<>();
        int told = selector.selectNow(key -> {
            handed.add(key);
            for (SelectionKey other : selector.keys()) {
                if (other != key) {
                    unchecked(() -> other.channel().close());
                }
            }
        });
        assertEquals(1, told);
        assertEquals(1, handed.size());
    }

    @Test
    void actionMayFinishOtherConnectsWhichAreNotHandedOutThen() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        Selector selector = closing(Selector.open());
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            SocketChannel channel = closing(SocketChannel.open());
            channel.configureBlocking(false);
            channel.connect(testAddress(port(listener)));
            channel.register(selector, OP_CONNECT);
            channels.add(channel);
            closing(listener.accept());
        }
        List<SelectionKey> handed = new ArrayList<>();
        assertEquals(
                1,
                selector.select(
                        key -> {
                            handed.add(key);
                            channels.forEach(channel -> unchecked(() -> assertTrue(channel.finishConnect())));
                        },
                        Patience.NEVER_MS));
        assertEquals(1, handed.size());
    }

    @Test
    void actionMayChangeInterest() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_WRITE);
        assertEquals(1, key.selector().select(ready -> ready.interestOps(OP_READ), Patience.NEVER_MS));
        assertEquals(0, key.selector().selectNow(NONE));
        link.remote().write(1);
        assertEquals(1, key.selector().select(ready -> assertSame(key, ready), Patience.NEVER_MS));
    }

    @Test
    void actionMayRegisterAnotherChannel() throws Exception {
        Selector selector = registered(connectedChannel().local(), OP_WRITE).selector();
        var other = connectedChannel().local();
        other.configureBlocking(false);
        assertEquals(
                1,
                selector.select(
                        key -> unchecked(() -> {
                            key.interestOps(0);
                            other.register(selector, OP_WRITE);
                        }),
                        Patience.NEVER_MS));
        assertEquals(2, selector.keys().size());
        assertEquals(1, selector.select(key -> assertSame(other, key.channel()), Patience.NEVER_MS));
    }

    @Test
    void actionMayReadAndWrite() throws Exception {
        ChannelLink link = connectedChannel();
        Selector selector = registered(link.local(), OP_READ).selector();
        link.remote().write(10);
        assertEquals(
                1,
                selector.select(
                        key -> unchecked(() -> link.local().read(ByteBuffer.allocate(100))), Patience.NEVER_MS));
        assertEquals(0, selector.selectNow(NONE));
    }

    @Test
    void exceptionOfAnActionReachesTheCallerAndTheSelectorWorksOn() throws Exception {
        Selector selector = registered(connectedChannel().local(), OP_WRITE).selector();
        IllegalStateException own = new IllegalStateException("the action's own");
        Consumer<SelectionKey> failing = key -> {
            throw own;
        };
        assertSame(own, assertThrowsA(IllegalStateException.class, () -> selector.select(failing)));
        assertSame(own, assertThrowsA(IllegalStateException.class, () -> selector.selectNow(failing)));
        assertEquals(1, selector.selectNow());
    }

    @Test
    void actionMustNotSelect() throws Exception {
        Selector selector = registered(connectedChannel().local(), OP_WRITE).selector();
        assertThrows(
                IllegalStateException.class,
                "select in progress",
                () -> selector.select(key -> unchecked(() -> selector.selectNow())));
        assertThrows(
                IllegalStateException.class,
                "select in progress",
                () -> selector.select(key -> unchecked(() -> selector.selectNow(NONE))));
        assertEquals(1, selector.selectNow());
    }

    @Test
    void actionThatClosesTheSelectorEndsTheSelectionWithClosedSelector() throws Exception {
        Selector selector = registered(connectedChannel().local(), OP_WRITE).selector();
        assertThrows(
                ClosedSelectorException.class, null, () -> selector.select(key -> unchecked(() -> selector.close())));
        assertFalse(selector.isOpen());
    }

    @Test
    void missingActionIsRefused() throws Exception {
        Selector selector = idleSelector();
        assertThrowsA(NullPointerException.class, () -> selector.select(null));
        assertThrowsA(NullPointerException.class, () -> selector.select(null, 10));
        assertThrowsA(NullPointerException.class, () -> selector.select(null, -1));
        assertThrowsA(NullPointerException.class, () -> selector.selectNow(null));
    }

    @Test
    void negativeTimeoutWithAnActionIsRefused() throws Exception {
        Selector selector = idleSelector();
        assertThrowsA(IllegalArgumentException.class, () -> selector.select(NONE, -1));
    }

    @Test
    void selectionWithAnActionLeavesTheSelectedSetAlone() throws Exception {
        Selector selector = closing(Selector.open());
        SelectionKey first = register(connectedChannel().local(), selector, OP_WRITE);
        assertEquals(1, selector.select(Patience.NEVER_MS));
        register(connectedChannel().local(), selector, OP_WRITE);
        assertEquals(2, selector.select(key -> {}, Patience.NEVER_MS));
        assertEquals(Set.of(first), selector.selectedKeys());
    }

    @Test
    void selectionWithAnActionReplacesTheReadySet() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_WRITE);
        assertEquals(1, key.selector().select(Patience.NEVER_MS));
        link.remote().write(1);
        key.interestOps(OP_READ);
        assertEquals(1, key.selector().select(ready -> assertEquals(OP_READ, ready.readyOps()), Patience.NEVER_MS));
        assertEquals(OP_READ, key.readyOps());
    }

    @Test
    void wakeUpEndsASelectionWithAnAction() throws Exception {
        Selector selector = idleSelector();
        Background<Integer> select =
                Background.start(() -> selector.select(NONE)).awaitBlockedIn("select");
        selector.wakeup();
        assertEquals(0, select.result());
    }

    @Test
    void wakeUpBeforeASelectionWithAnActionStillHandsOverReadyKeys() throws Exception {
        Selector selector = registered(connectedChannel().local(), OP_WRITE).selector();
        assertEquals(1, selector.select(key -> {}, Patience.NEVER_MS));
        selector.wakeup();
        List<SelectionKey> handed = new ArrayList<>();
        assertEquals(1, selector.select(handed::add));
        assertEquals(1, handed.size());
    }

    @Test
    void wakeUpByAnActionEndsTheNextSelection() throws Exception {
        SelectionKey key = registered(connectedChannel().local(), OP_WRITE);
        assertEquals(1, key.selector().select(ready -> key.selector().wakeup()));
        key.interestOps(OP_READ);
        assertEquals(0, key.selector().select(NONE));
    }

    @Test
    void selectNowWithAnActionConsumesAWakeUp() throws Exception {
        Selector selector = idleSelector();
        selector.wakeup();
        assertEquals(0, selector.selectNow(NONE));
        long startNs = System.nanoTime();
        assertEquals(0, selector.select(NONE, 60));
        assertTrue(System.nanoTime() - startNs >= 58_000_000);
    }

    @Test
    void interruptEndsASelectionWithAnAction() throws Exception {
        Selector selector = idleSelector();
        Background<Boolean> select = Background.start(() -> {
            selector.select(NONE);
            return Thread.currentThread().isInterrupted();
        });
        select.awaitBlockedIn("select").thread().interrupt();
        assertTrue(select.result());
        assertTrue(selector.isOpen());
    }

    @Test
    void closeEndsASelectionWithAnAction() throws Exception {
        Selector selector = idleSelector();
        Background<Integer> select =
                Background.start(() -> selector.select(NONE)).awaitBlockedIn("select");
        selector.close();
        assertEquals(0, select.result());
        assertFalse(selector.isOpen());
    }

    @Test
    void arrivingBytesEndASleepingSelectionWithAnAction() throws Exception {
        ChannelLink link = connectedChannel();
        SelectionKey key = registered(link.local(), OP_READ);
        Background<Integer> select = Background.start(() -> key.selector().select(ready -> assertSame(key, ready)))
                .awaitBlockedIn("select");
        link.remote().write(1);
        assertEquals(1, select.result());
    }

    @Test
    void bytesThatArriveForAnotherChannelDuringAnActionAreNotForgotten() throws Exception {
        ChannelLink first = connectedChannel();
        ChannelLink second = connectedChannel();
        Selector selector = registered(first.local(), OP_READ).selector();
        SelectionKey key = register(second.local(), selector, OP_READ);
        Background<Integer> select = Background.start(() -> selector.select(ready -> unchecked(() -> {
                    first.local().read(ByteBuffer.allocate(1));
                    second.remote().write(1);
                    for (int i = 0; i < 3; i++) {
                        Thread.sleep(10);
                        second.local().write(ByteBuffer.allocate(1));
                    }
                })))
                .awaitBlockedIn("select");
        first.remote().write(1);
        assertEquals(1, select.result());
        assertEquals(1, selector.select(ready -> assertSame(key, ready), Patience.NEVER_MS));
    }

    private static void unchecked(Executable call) {
        try {
            call.execute();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
