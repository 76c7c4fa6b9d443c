package org.exsockets.compat.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.exsockets.compat.harness.Background;
import org.exsockets.compat.harness.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A selector's two sets of keys: what they show, what may be done to them, and by whom meanwhile. */
@Tag("noagent")
class KeySetsContract extends Contract {
    private static final int KEYS = 8;

    @Test
    void keySetIsALiveView() throws Exception {
        Selector selector = closing(Selector.open());
        Set<SelectionKey> keys = selector.keys();
        assertTrue(keys.isEmpty());
        SelectionKey key = register(connectedChannel().local(), selector, OP_READ);
        assertEquals(Set.of(key), keys);
        key.cancel();
        assertTrue(keys.contains(key));
        selector.selectNow();
        assertTrue(keys.isEmpty());
        assertSame(keys, selector.keys());
        assertSame(selector.selectedKeys(), selector.selectedKeys());
    }

    @Test
    void keySetCannotBeChanged() throws Exception {
        Selector selector = writableSelector();
        SelectionKey key = selector.keys().iterator().next();
        Set<SelectionKey> keys = selector.keys();
        assertThrowsA(UnsupportedOperationException.class, () -> keys.add(key));
        assertThrowsA(UnsupportedOperationException.class, () -> keys.remove(key));
        assertThrowsA(UnsupportedOperationException.class, keys::clear);
        assertThrowsA(UnsupportedOperationException.class, () -> keys.removeIf(any -> true));
        Iterator<SelectionKey> each = keys.iterator();
        each.next();
        assertThrowsA(UnsupportedOperationException.class, each::remove);
        assertEquals(KEYS, keys.size());
    }

    @Test
    void iterationOverTheKeySetSurvivesRegistrationsAndDeregistrations() throws Exception {
        Selector selector = writableSelector();
        SocketChannel late = connectedChannel().local();
        late.configureBlocking(false);
        int seen = 0;
        for (SelectionKey key : selector.keys()) {
            seen++;
            late.register(selector, OP_READ);
            if (key.channel() != late) {
                key.cancel();
            }
            selector.selectNow();
        }
        assertTrue(seen >= KEYS);
        assertEquals(Set.of(late.keyFor(selector)), selector.keys());
    }

    @Test
    void selectedSetTakesNoKeys() throws Exception {
        Selector selector = writableSelector();
        selector.select();
        Set<SelectionKey> selected = selector.selectedKeys();
        SelectionKey key = selected.iterator().next();
        assertThrowsA(UnsupportedOperationException.class, () -> selected.add(key));
        assertThrowsA(UnsupportedOperationException.class, () -> selected.addAll(List.of(key)));
        assertEquals(KEYS, selected.size());
    }

    @Test
    void keysAreRemovedFromTheSelectedSetInEveryWay() throws Exception {
        Selector selector = writableSelector();
        selectAll(selector);
        Set<SelectionKey> selected = selector.selectedKeys();
        List<SelectionKey> keys = new ArrayList<>(selected);
        assertTrue(selected.remove(keys.get(0)));
        assertFalse(selected.remove(keys.get(0)));
        assertTrue(selected.removeIf(key -> key == keys.get(1)));
        assertTrue(selected.removeAll(List.of(keys.get(2))));
        assertTrue(selected.retainAll(keys.subList(4, KEYS)));
        Iterator<SelectionKey> each = selected.iterator();
        SelectionKey first = each.next();
        each.remove();
        assertFalse(selected.contains(first));
        assertEquals(KEYS - 5, selected.size());
        selected.clear();
        assertTrue(selected.isEmpty());
        selectAll(selector);
    }

    @Test
    void iteratorOfTheSelectedSetRemovesEveryKeyOnce() throws Exception {
        Selector selector = writableSelector();
        selectAll(selector);
        Set<SelectionKey> seen = new HashSet<>();
        Iterator<SelectionKey> each = selector.selectedKeys().iterator();
        while (each.hasNext()) {
            assertTrue(seen.add(each.next()));
            each.remove();
            assertThrowsA(IllegalStateException.class, each::remove);
        }
        assertThrowsA(NoSuchElementException.class, each::next);
        assertEquals(selector.keys(), seen);
        assertTrue(selector.selectedKeys().isEmpty());
    }

    @Test
    void iterationFailsWhenTheSelectedSetIsChangedMeanwhile() throws Exception {
        Selector selector = writableSelector();
        selectAll(selector);
        Iterator<SelectionKey> each = selector.selectedKeys().iterator();
        SelectionKey first = each.next();
        selector.selectedKeys().remove(first);
        assertTrue(each.hasNext());
        assertThrowsA(ConcurrentModificationException.class, each::next);
    }

    @Test
    void iteratorRefusesToRemoveAfterTheSelectedSetWasChanged() throws Exception {
        Selector selector = writableSelector();
        selectAll(selector);
        Iterator<SelectionKey> each = selector.selectedKeys().iterator();
        each.next();
        selector.selectedKeys().clear();
        assertThrowsA(ConcurrentModificationException.class, each::remove);
    }

    @Test
    void iterationFailsWhenASelectionAddsAKeyMeanwhile() throws Exception {
        Selector selector = writableSelector();
        selectAll(selector);
        Iterator<SelectionKey> each = selector.selectedKeys().iterator();
        each.next();
        register(connectedChannel().local(), selector, OP_WRITE);
        assertEquals(1, selector.select(Patience.NEVER_MS));
        assertThrowsA(ConcurrentModificationException.class, each::next);
    }

    @Test
    void iterationFailsWhenASelectionTakesACancelledKeyMeanwhile() throws Exception {
        Selector selector = writableSelector();
        selectAll(selector);
        Iterator<SelectionKey> each = selector.selectedKeys().iterator();
        each.next().cancel();
        selector.selectNow();
        assertThrowsA(ConcurrentModificationException.class, each::next);
    }

    @Test
    void iterationGoesOnWhenASelectionChangesNothing() throws Exception {
        Selector selector = writableSelector();
        selectAll(selector);
        int seen = 0;
        for (SelectionKey key : selector.selectedKeys()) {
            assertTrue(key.isWritable());
            assertEquals(0, selector.selectNow());
            seen++;
        }
        assertEquals(KEYS, seen);
    }

    @Test
    void selectedSetComparesAsASet() throws Exception {
        Selector selector = writableSelector();
        selectAll(selector);
        Set<SelectionKey> selected = selector.selectedKeys();
        Set<SelectionKey> same = new HashSet<>(selector.keys());
        assertEquals(same, selected);
        assertEquals(selected, same);
        assertEquals(same.hashCode(), selected.hashCode());
        assertTrue(selected.containsAll(same));
        assertEquals(same, Set.of(selected.toArray()));
        assertEquals(KEYS, selected.stream().distinct().count());
    }

    @Test
    void selectedSetDoesNotContainStrangers() throws Exception {
        Selector selector = writableSelector();
        selectAll(selector);
        SelectionKey stranger = registered(connectedChannel().local(), OP_WRITE);
        assertEquals(1, stranger.selector().select(Patience.NEVER_MS));
        Set<SelectionKey> selected = selector.selectedKeys();
        assertFalse(selected.contains(stranger));
        assertFalse(selected.remove(stranger));
        assertFalse(selected.contains(null));
        assertFalse(selected.contains("key"));
        assertEquals(Set.of(stranger), stranger.selector().selectedKeys());
    }

    @Test
    void keyRemovedFromTheSelectedSetIsSelectedAgainWhileItIsReady() throws Exception {
        SelectionKey key = registered(connectedChannel().local(), OP_WRITE);
        for (int i = 0; i < 5; i++) {
            assertEquals(1, key.selector().select(Patience.NEVER_MS));
            assertTrue(key.selector().selectedKeys().remove(key));
        }
    }

    @Test
    void viewsOfAClosedSelectorAreEmpty() throws Exception {
        Selector selector = writableSelector();
        selectAll(selector);
        Set<SelectionKey> keys = selector.keys();
        Set<SelectionKey> selected = selector.selectedKeys();
        SelectionKey key = keys.iterator().next();
        selector.close();
        assertTrue(keys.isEmpty());
        assertTrue(selected.isEmpty());
        assertFalse(key.isValid());
        assertThrows(ClosedSelectorException.class, null, selector::keys);
        assertThrows(ClosedSelectorException.class, null, selector::selectedKeys);
    }

    @Test
    void selectionWaitsForWhoeverHoldsTheSelectedSet() throws Exception {
        Selector selector = writableSelector();
        Background<Integer> select;
        synchronized (selector.selectedKeys()) {
            select = Background.start(() -> selector.select());
            Thread selecting = select.thread();
            await("the selection is blocked", () -> selecting.getState() == Thread.State.BLOCKED);
            assertTrue(selector.selectedKeys().isEmpty());
        }
        assertTrue(select.result() > 0);
    }

    @Test
    void selectionsOfTwoThreadsTakeTurns() throws Exception {
        Selector selector = idleSelector();
        Background<Integer> first = startSelect(selector);
        Background<Integer> second = Background.start(() -> selector.select());
        Thread waiting = second.thread();
        await("the second selection is blocked", () -> waiting.getState() == Thread.State.BLOCKED);
        selector.wakeup();
        assertEquals(0, first.result());
        second.awaitBlockedIn("select");
        selector.wakeup();
        assertEquals(0, second.result());
    }

    @Test
    void keysAndInterestAreReadAndChangedDuringASelection() throws Exception {
        Selector selector = closing(Selector.open());
        SelectionKey key = register(connectedChannel().local(), selector, OP_READ);
        Background<Integer> select = startSelect(selector);
        assertEquals(Set.of(key), selector.keys());
        assertTrue(selector.selectedKeys().isEmpty());
        assertEquals(OP_READ, key.interestOps());
        assertEquals(OP_READ, key.interestOpsAnd(0));
        assertEquals(0, key.interestOpsOr(OP_READ));
        assertEquals(0, key.readyOps());
        assertNull(key.attach("note"));
        assertFalse(select.isDone());
        selector.wakeup();
        assertEquals(0, select.result());
    }

    @Test
    void registeringAgainChangesInterestAndAttachmentOfTheSameKey() throws Exception {
        Selector selector = closing(Selector.open());
        SocketChannel channel = connectedChannel().local();
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, OP_READ, "first");
        assertSame(key, channel.register(selector, OP_WRITE, "second"));
        assertEquals(OP_WRITE, key.interestOps());
        assertEquals("second", key.attachment());
        assertSame(key, channel.register(selector, OP_READ));
        assertNull(key.attachment());
        assertEquals(Set.of(key), selector.keys());
    }

    @Test
    void channelKnowsItsKeyInEachSelector() throws Exception {
        Selector first = closing(Selector.open());
        Selector second = closing(Selector.open());
        SocketChannel channel = connectedChannel().local();
        assertFalse(channel.isRegistered());
        SelectionKey key = register(channel, first, OP_READ);
        assertSame(key, channel.keyFor(first));
        assertNull(channel.keyFor(second));
        SelectionKey other = channel.register(second, OP_READ);
        assertSame(other, channel.keyFor(second));
        key.cancel();
        assertTrue(channel.isRegistered());
        first.selectNow();
        assertNull(channel.keyFor(first));
        assertTrue(channel.isRegistered());
        assertThrows(IllegalBlockingModeException.class, null, () -> channel.configureBlocking(true));
        other.cancel();
        second.selectNow();
        assertFalse(channel.isRegistered());
        channel.configureBlocking(true);
    }

    @Test
    void attachmentsOfManyKeysStayWithTheirKeys() throws Exception {
        Selector selector = closing(Selector.open());
        for (int i = 0; i < KEYS; i++) {
            register(connectedChannel().local(), selector, OP_WRITE).attach(i);
        }
        register(listeningChannel(), selector, OP_ACCEPT).attach(KEYS);
        selectAll(selector);
        Set<Object> attachments = new HashSet<>();
        selector.keys().forEach(key -> attachments.add(key.attachment()));
        assertEquals(KEYS + 1, attachments.size());
        selector.selectedKeys().forEach(key -> assertTrue((int) key.attachment() < KEYS));
    }

    /** A selector whose keys are all ready for writing. */
    private Selector writableSelector() throws Exception {
        Selector selector = closing(Selector.open());
        for (int i = 0; i < KEYS; i++) {
            register(connectedChannel().local(), selector, OP_WRITE);
        }
        return selector;
    }

    private static void selectAll(Selector selector) throws Exception {
        while (selector.selectedKeys().size() < KEYS) {
            selector.select(Patience.NEVER_MS);
        }
    }
}
