package org.exsockets.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.List;
import java.util.Set;
import org.exsockets.nio.select.SelectorParts.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a key takes part in selections, who watches for it meanwhile, and the order in which it goes. */
class RegistrationsTest {
    private final SelectorParts parts = new SelectorParts();
    private final Registrations registrations = parts.registrations;

    private Source source(String name) {
        return parts.new Source(name);
    }

    private ExsKey takenIn(Source source) throws IOException {
        ExsKey key = parts.register(source);
        registrations.takeInAsked();
        return key;
    }

    private void remove() {
        registrations.removeCancelled(parts.selector.cancelled(), List.of());
    }

    // Coming.

    @Test
    void aKeyTakesPartFromTheSelectionThatBeginsBehindItsRegistration() throws IOException {
        ExsKey key = parts.register(source("a"));
        assertTrue(registrations.keys().contains(key), "the program sees it at once");
        registrations.change(key);
        registrations.processChanges();
        assertNull(key.source, "a selection under way does not know it");
        assertEquals(List.of(), parts.takeLog());
        registrations.takeInAsked();
        assertSame(((SelectorParts.Channel) key.channel()).source, key.source);
        assertEquals(List.of("update a"), parts.takeLog());
        assertEquals(1, parts.hot.size(), "it is polled");
    }

    @Test
    void anInterestHoldsFromTheNextSelectionOn() throws IOException {
        ExsKey key = takenIn(source("a"));
        key.interestOps(SelectionKey.OP_WRITE);
        registrations.processChanges();
        assertEquals(SelectionKey.OP_READ, key.selectedFor());
        registrations.takeInAsked();
        assertEquals(SelectionKey.OP_WRITE, key.selectedFor());
    }

    @Test
    void anInterestThatIsSetAgainWhileItIsAppliedIsAskedForAgain() throws IOException {
        ExsKey key = takenIn(source("a"));
        key.interestOps(0);
        key.interestOps(SelectionKey.OP_WRITE);
        registrations.takeInAsked();
        key.interestOps(SelectionKey.OP_READ);
        registrations.takeInAsked();
        assertEquals(SelectionKey.OP_READ, key.selectedFor());
    }

    @Test
    void aKeyIsTakenInOnceHoweverOftenItHasChanged() throws IOException {
        ExsKey key = takenIn(source("a"));
        parts.takeLog();
        key.interestOps(0);
        key.interestOps(SelectionKey.OP_WRITE);
        registrations.takeInAsked();
        assertEquals(List.of("update a"), parts.takeLog());
        key.interestOps(SelectionKey.OP_READ);
        registrations.takeInAsked();
        assertEquals(List.of("update a"), parts.takeLog());
    }

    @Test
    void aKeyThatIsCancelledBeforeASelectionHasSeenItNeverTakesPart() throws IOException {
        ExsKey key = parts.register(source("a"));
        key.cancel();
        registrations.takeInAsked();
        assertNull(key.source);
        remove();
        assertEquals(Set.of(), registrations.keys());
        assertNull(key.channel().keyFor(parts.selector), "it may be registered again");
    }

    @Test
    void aKeyThatIsTakenBackWasNeverThere() throws IOException {
        SelectorParts.Channel channel = parts.new Channel(source("a"));
        ExsKey key = new ExsKey(parts.selector, channel, 0);
        registrations.add(key);
        assertFalse(channel.keys().areNone());
        registrations.takeBack(key);
        assertEquals(Set.of(), registrations.keys());
        assertTrue(channel.keys().areNone());
    }

    @Test
    void whatTheProgramGetsOfTheKeysItCannotChange() throws IOException {
        takenIn(source("a"));
        assertThrows(
                UnsupportedOperationException.class, () -> registrations.keys().clear());
    }

    // Sources.

    @Test
    void aChannelWithoutASourceWaitsForOne() throws IOException {
        SelectorParts.Channel channel = parts.new Channel(null);
        ExsKey none = (ExsKey) channel.register(parts.selector, SelectionKey.OP_READ);
        parts.takeLog();
        registrations.takeInAsked();
        assertNull(none.source);
        channel.source = source("a");
        channel.keys().signal();
        assertTrue(registrations.hasChanges());
        registrations.processChanges();
        assertEquals(List.of("update a"), parts.takeLog());
        assertFalse(registrations.hasChanges());
    }

    /** The inner selector may hold the old source's descriptor, and would report it. */
    @Test
    void anotherSourceComesWhenTheInnerSelectorHasLetGoOfTheOneBefore() throws IOException {
        SleepSignInMemory sign = new SleepSignInMemory();
        Source before = source("before");
        before.sign = sign;
        ExsKey key = takenIn(before);
        assertTrue(parts.signs.show(key, true));
        parts.takeLog();
        SelectorParts.Channel channel = (SelectorParts.Channel) key.channel();
        channel.source = source("after");
        channel.keys().signal();
        registrations.processChanges();
        assertEquals(
                List.of("hide before", "cancel before", "flush", "detached before", "update after"), parts.takeLog());
        assertEquals(-1, key.cell);
        assertEquals(1, parts.hot.size());
    }

    @Test
    void theSameSourceIsOnlyUpdated() throws IOException {
        ExsKey key = takenIn(source("a"));
        registrations.change(key);
        registrations.processChanges();
        assertEquals(List.of("update a", "update a"), parts.takeLog());
    }

    /** As in the JDK, which still has the descriptor. */
    @Test
    void aCancelledKeyIsLookedAtUntilItIsRemoved() throws IOException {
        ExsKey key = takenIn(source("a"));
        parts.takeLog();
        key.cancel();
        registrations.change(key);
        registrations.processChanges();
        assertEquals(List.of("update a"), parts.takeLog());
        remove();
        parts.takeLog();
        registrations.change(key);
        registrations.processChanges();
        assertEquals(List.of(), parts.takeLog());
    }

    // Who watches.

    @ParameterizedTest
    @CsvSource({
        // connections on the word, other connections, listeners on the word, other descriptors: inner selector needed
        "0, 0, 0, 0, true",
        "1, 0, 0, 0, false",
        "0, 1, 0, 0, true",
        "0, 0, 1, 0, true",
        "0, 0, 0, 1, true",
        "1, 1, 0, 0, true",
        "1, 0, 1, 0, false",
        "1, 0, 0, 1, true",
        "2, 0, 3, 0, false",
    })
    void aSleepIsOnTheWordIfSomebodyWakesThereAndNobodyOnlyElsewhere(
            int onWord, int others, int listeners, int descriptors, boolean needed) throws IOException {
        for (int i = 0; i < onWord; i++) {
            takenIn(source("c").onWord());
        }
        for (int i = 0; i < others; i++) {
            takenIn(source("o"));
        }
        for (int i = 0; i < listeners; i++) {
            takenIn(source("l").onWord().inInner());
        }
        for (int i = 0; i < descriptors; i++) {
            takenIn(source("d").inInner());
        }
        assertEquals(needed, registrations.needInner());
        assertEquals(listeners + descriptors > 0, registrations.anyDescriptors());
        registrations.keys().forEach(SelectionKey::cancel);
        remove();
        assertTrue(registrations.needInner(), "all is forgotten");
        assertFalse(registrations.anyDescriptors());
        assertEquals(Long.MAX_VALUE, registrations.unwatchedNs(System.nanoTime()));
    }

    @Test
    void whoWakesOnTheWordIsRegisteredWithTheInnerSelectorWhenThatIsNeeded() throws IOException {
        takenIn(source("a").onWord());
        takenIn(source("b").onWord());
        takenIn(source("listener").onWord().inInner());
        parts.takeLog();
        ExsKey other = takenIn(source("other"));
        assertEquals(List.of("update other"), parts.takeLog());
        registrations.enterInner();
        assertEquals(
                List.of("update a", "update b", "update listener"),
                parts.takeLog().stream().sorted().toList());
        registrations.enterInner();
        assertEquals(List.of(), parts.takeLog(), "once");
        other.cancel();
        remove();
        assertFalse(registrations.needInner());
    }

    @Test
    void whatTheWordDoesNotTellIsLookedForUntilItIsWatched() throws IOException {
        Source killed = source("killed").onWord();
        takenIn(source("a").onWord());
        takenIn(killed);
        takenIn(source("listener").onWord().inInner());
        takenIn(source("other"));
        parts.takeLog();
        assertFalse(registrations.lookUnwatched());
        assertEquals(
                List.of("look at a", "look at killed"),
                parts.takeLog().stream().sorted().toList());
        killed.unwatchedNews = true;
        assertTrue(registrations.lookUnwatched());
        assertEquals(2, parts.takeLog().size(), "news of one does not end the look");
        registrations.watchAll();
        assertEquals(
                List.of("watch a", "watch killed"),
                parts.takeLog().stream().sorted().toList());
        assertFalse(registrations.lookUnwatched());
        registrations.watchAll();
        assertEquals(List.of(), parts.takeLog(), "once");
    }

    @Test
    void aListenerIsWatchedBeforeEachSleepOnTheWord() throws IOException {
        takenIn(source("listener").onWord().inInner());
        parts.takeLog();
        registrations.watchInner();
        registrations.watchInner();
        assertEquals(List.of("watch listener", "watch listener"), parts.takeLog());
    }

    @Test
    void withoutABackgroundThreadTheInnerSelectorWatches() throws IOException {
        IOException noThread = new IOException("no descriptors left");
        Source listener = source("listener").onWord().inInner();
        listener.noThread = noThread;
        takenIn(listener);
        takenIn(source("a").onWord());
        for (String name : List.of("alone", "too")) {
            Source alone = source(name).onWord();
            alone.noThread = noThread;
            takenIn(alone);
        }
        assertFalse(registrations.needInner());
        parts.takeLog();
        registrations.watchInner();
        assertEquals(List.of("watch listener", "update listener"), parts.takeLog());
        assertTrue(registrations.needInner());
        registrations.watchAll();
        List<String> watched = parts.takeLog();
        assertEquals(
                List.of("update alone", "update too", "watch a", "watch alone", "watch too"),
                watched.stream().sorted().toList(),
                "one failure is not that of all");
        assertTrue(watched.indexOf("watch alone") < watched.indexOf("update alone"));
        registrations.watchInner();
        registrations.watchAll();
        assertEquals(List.of(), parts.takeLog());
    }

    @Test
    void aKeyLeavesTheWordOnce() throws IOException {
        ExsKey key = takenIn(source("a").onWord());
        takenIn(source("b").onWord());
        registrations.leaveWord(key);
        registrations.leaveWord(key);
        assertTrue(registrations.needInner());
        key.cancel();
        remove();
        assertFalse(registrations.needInner());
    }

    // Going.

    /** The inner selector frees closed descriptors, which must not be reported as another channel's. */
    @Test
    void aKeyLeavesItsChannelThenTheInnerSelectorThenItsSource() throws IOException {
        SleepSignInMemory sign = new SleepSignInMemory();
        Source a = source("a");
        a.sign = sign;
        ExsKey key = takenIn(a);
        assertTrue(parts.signs.show(key, false));
        parts.selected.addSelected(key);
        SelectorParts.Channel channel = (SelectorParts.Channel) key.channel();
        parts.takeLog();
        key.cancel();
        assertFalse(channel.keys().areNone(), "until the next selection");
        remove();
        assertEquals(List.of("hide a", "cancel a", "flush", "detached a"), parts.takeLog());
        assertEquals(Set.of(), registrations.keys());
        assertEquals(0, parts.selected.size());
        assertEquals(0, parts.hot.size());
        assertNull(key.source);
        assertNull(channel.keyFor(parts.selector));
        assertTrue(channel.keys().areNone());
        assertEquals(Set.of(), parts.selector.cancelled());
    }

    @Test
    void allThatAreCancelledCostOneLookOfTheInnerSelector() throws IOException {
        for (int i = 0; i < 3; i++) {
            takenIn(source("a")).cancel();
        }
        ExsKey stays = takenIn(source("b"));
        parts.takeLog();
        remove();
        assertEquals(1, parts.log.stream().filter("flush"::equals).count());
        assertEquals(Set.of(stays), registrations.keys());
        parts.takeLog();
        remove();
        assertEquals(List.of(), parts.takeLog(), "nothing is cancelled");
    }

    @Test
    void aKeyThatFailsKeepsNoOtherFromGoing() throws IOException {
        Source fails = source("fails");
        fails.failsToGo = true;
        List<ExsKey> gone = List.of(takenIn(fails), takenIn(source("a")));
        parts.takeLog();
        registrations.removeCancelled(Set.of(), gone);
        assertEquals(List.of("cancel fails", "cancel a", "flush", "detached fails", "detached a"), parts.takeLog());
        assertEquals(Set.of(), registrations.keys());
    }

    @Test
    void aKeyThatIsRemovedTwiceIsRemovedOnce() throws IOException {
        ExsKey key = takenIn(source("a"));
        key.cancel();
        registrations.removeCancelled(parts.selector.cancelled(), List.of(key));
        assertEquals(1, parts.log.stream().filter("detached a"::equals).count());
        parts.takeLog();
        registrations.removeCancelled(parts.selector.cancelled(), List.of(key));
        assertEquals(List.of("flush"), parts.takeLog());
    }

    @Test
    void aChannelThatIsRegisteredAgainKeepsItsNewKey() throws IOException {
        ExsKey before = takenIn(source("a"));
        before.cancel();
        remove();
        ExsKey now = (ExsKey) before.channel().register(parts.selector, SelectionKey.OP_READ);
        registrations.takeInAsked();
        registrations.removeCancelled(Set.of(), List.of(before));
        assertSame(now, now.channel().keyFor(parts.selector));
        assertTrue(now.isValid());
        assertEquals(Set.of(now), registrations.keys());
    }

    @Test
    void aSelectorThatClosesRemovesAllKeysWhetherCancelledOrNot() throws IOException {
        ExsKey fresh = takenIn(source("a"));
        ExsKey cancelled = takenIn(source("b").onWord());
        cancelled.cancel();
        ExsKey unseen = parts.register(source("c"));
        registrations.removeAll(parts.selector.cancelled());
        for (ExsKey key : List.of(fresh, cancelled, unseen)) {
            assertFalse(key.isValid());
            assertNull(key.source);
            assertNull(key.channel().keyFor(parts.selector));
        }
        assertEquals(Set.of(), registrations.keys());
        assertEquals(1, parts.log.stream().filter("flush"::equals).count());
    }

    /** An action of a selection closes the selector, maybe within a selection of the inner one, which is closed next. */
    @Test
    void aSelectorThatClosesWithinItsSelectionDoesNotSelectAgain() throws IOException {
        takenIn(source("a"));
        parts.selector.closingInSelection = true;
        parts.takeLog();
        registrations.removeAll(parts.selector.cancelled());
        assertEquals(List.of("cancel a", "detached a"), parts.takeLog());
    }
}
