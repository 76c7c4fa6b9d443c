package org.exsockets.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.verbs.SleepSign;
import org.exsockets.verbs.WakeWord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A selection with hot connections sleeps behind one sign, and those stay hot. */
class SignedSelectionTest {
    private static final int SLEEPS_UNTIL_IDLE = 20;

    private final Sign sign = new Sign();
    private final List<Signed> all = new ArrayList<>();
    private ExsSelector selector;
    private boolean allWakeOnWord;
    private boolean listens;
    private boolean noSigns;

    @BeforeEach
    void open() throws IOException {
        selector = new ExsSelector(JdkChannels.provider());
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
    }

    @Test
    void theSignIsTurnedAndNobodyIsArmed() throws IOException {
        register(10);
        selector.select(1);
        assertEquals(1, sign.sleeps);
        assertFalse(sign.asleep);
        assertTrue(all.stream().allMatch(each -> each.shown && each.armed == 0));
    }

    @Test
    void afterTheSleepAllAreLookedAt() throws IOException {
        register(10);
        sign.onAsleep = selector::wakeup;
        sign.onAwake = () -> all.get(3).ready = SelectionKey.OP_READ;
        assertEquals(1, selector.select());
    }

    @Test
    void whatComesWhileTheSignIsTurnedEndsTheSelection() throws IOException {
        register(10);
        sign.onAsleep = () -> all.get(3).ready = SelectionKey.OP_READ;
        assertEquals(1, selector.select());
        assertFalse(sign.asleep);
    }

    @Test
    void whereTheSignIsNotToBeShownConnectionsAreArmed() throws IOException {
        register(10);
        all.get(3).refuses = true;
        selector.select(1);
        assertEquals(1, all.get(3).armed);
        assertEquals(9, all.stream().filter(each -> each.shown).count());
    }

    @Test
    void aSignThatNobodySeesIsOfNoUse() throws IOException {
        register(10);
        sign.broken = true;
        selector.select(1);
        assertTrue(all.stream().allMatch(each -> !each.shown && each.armed == 1));
    }

    @Test
    void aSignThatBreaksLeavesTheSelectionToTheChannels() throws IOException {
        allWakeOnWord = true;
        register(2);
        selector.select(1);
        long sleepsOnWord = sign.sleepsOnWord;
        sign.onSleep = () -> sign.broken = true; // The kernel refuses.
        selector.select(1);
        selector.select(1);
        assertEquals(sleepsOnWord + 1, sign.sleepsOnWord);
        assertTrue(sign.closed);
        assertTrue(all.stream().allMatch(each -> !each.shown && each.armed == 1 && each.updates > 0));
    }

    @Test
    void whoHasNoNewsForManySleepsIsNotPolledAnyMore() throws IOException {
        register(10);
        List<Signed> active = all.subList(2, 6);
        sign.onAsleep = selector::wakeup;
        sign.onAwake = () -> active.forEach(each -> each.ready = SelectionKey.OP_READ);
        for (int i = 0; i < SLEEPS_UNTIL_IDLE; i++) {
            assertEquals(active.size(), selector.select());
            selector.selectedKeys().clear();
            active.forEach(each -> each.ready = 0);
        }
        for (Signed each : all) {
            assertEquals(0, each.armed);
            assertTrue(each.shown);
            assertEquals(!active.contains(each), each.sets);
        }
    }

    @Test
    void aConnectionWhoseCellIsSetIsLookedAtAgainAndStaysHot() throws IOException {
        whoHasNoNewsForManySleepsIsNotPolledAnyMore();
        Signed idle = all.get(0);
        sign.onAwake = () -> {
            idle.ready = SelectionKey.OP_READ;
            sign.setCells.add(idle.cell);
        };
        assertEquals(1, selector.select());
        assertTrue(idle.told);
        assertFalse(idle.sets);
    }

    @Test
    void aSetCellEndsASelectionThatIsAboutToSleep() throws IOException {
        whoHasNoNewsForManySleepsIsNotPolledAnyMore();
        Signed idle = all.get(0);
        sign.onAwake = () -> {};
        sign.onAsleep = () -> {
            idle.ready = SelectionKey.OP_READ;
            sign.setCells.add(idle.cell);
        };
        assertEquals(1, selector.select());
    }

    @Test
    void whereAllPeersWakeOnTheWordTheSelectionSleepsThere() throws IOException {
        allWakeOnWord = true;
        register(1);
        sign.onSleep = () -> all.get(0).ready = SelectionKey.OP_READ;
        assertEquals(1, selector.select());
        assertEquals(SleepSign.Place.WORD, sign.place);
        assertEquals(1, sign.sleepsOnWord);
        assertEquals(0, all.get(0).updates, "the inner selector does not know it");
        assertEquals(0, all.get(0).armed);
    }

    @Test
    void whoSleepsLongOnTheWordHasTheChannelsWatchedOnce() throws IOException {
        allWakeOnWord = true;
        register(2);
        selector.select(20);
        selector.select(20);
        assertTrue(all.stream().allMatch(each -> each.watches == 1));
    }

    @Test
    void aWakeUpAndAnInterruptEndTheSleepOnTheWord() throws IOException {
        allWakeOnWord = true;
        register(1);
        sign.onSleep = selector::wakeup;
        assertEquals(0, selector.select());
        sign.onSleep = Thread.currentThread()::interrupt;
        assertEquals(0, selector.select());
        assertTrue(Thread.interrupted());
        assertEquals(2, sign.sleepsOnWord);
    }

    @Test
    void whatOnlyTheInnerSelectorTellsOfHasAllRegisteredThere() throws IOException {
        allWakeOnWord = true;
        register(1);
        selector.select(1);
        long sleepsOnWord = sign.sleepsOnWord;
        allWakeOnWord = false;
        register(1);
        selector.select(1);
        assertEquals(SleepSign.Place.CHANNELS, sign.place);
        assertEquals(sleepsOnWord, sign.sleepsOnWord);
        assertEquals(1, all.get(0).updates);
        all.get(1).close();
        selector.select(1);
        assertEquals(SleepSign.Place.WORD, sign.place);
    }

    @Test
    void whoIsToSetACellSeesTheSignTurnedAlsoWhereTheSelectionSleepsOnTheChannels() throws IOException {
        register(1);
        allWakeOnWord = true;
        register(1);
        selector.select(1);
        assertEquals(SleepSign.Place.CHANNELS, sign.place);
        assertEquals(1, sign.sleeps);
        assertEquals(1, all.get(0).armed + (all.get(0).shown ? 1 : 0));
        assertTrue(all.get(1).shown);
        assertEquals(0, all.get(1).armed);
    }

    @Test
    void whereThereIsNoSignNobodyIsToMark() throws IOException {
        noSigns = true;
        allWakeOnWord = true;
        register(2);
        selector.select(1);
        assertTrue(all.stream().allMatch(each -> each.armed == 1 && each.updates > 0 && !each.shown));
        noSigns = false;
        register(1);
        selector.select(1);
        assertEquals(SleepSign.Place.CHANNELS, sign.place);
    }

    @Test
    void whereAPeerDoesNotSeeTheSignTheSelectionSleepsOnTheChannels() throws IOException {
        allWakeOnWord = true;
        register(2);
        all.get(1).refuses = true;
        selector.select(1);
        assertEquals(SleepSign.Place.CHANNELS, sign.place);
        assertTrue(all.stream().allMatch(each -> each.updates > 0));
        assertEquals(List.of(0L, 1L), all.stream().map(each -> each.armed).toList());
    }

    @Test
    void aListenerIsWatchedWhileTheSelectionSleepsOnTheWord() throws IOException {
        allWakeOnWord = true;
        listens = true;
        register(1);
        selector.select(1);
        assertEquals(0, sign.sleepsOnWord, "nobody would wake it");
        listens = false;
        register(1);
        selector.select(1);
        assertEquals(SleepSign.Place.WORD, sign.place);
        Signed listener = all.get(0);
        assertTrue(listener.watches > 0, "before each sleep");
        assertEquals(0, listener.armed);
        assertTrue(listener.updates > 0, "its readiness shows in the inner selector");
        sign.onSleep = () -> {
            listener.ready = SelectionKey.OP_READ;
            selector.onRung((ExsKey) listener.keyFor(selector));
        };
        assertEquals(1, selector.select());
        all.get(1).close();
        sign.place = null;
        selector.selectedKeys().clear();
        listener.ready = 0;
        selector.select(1);
        assertEquals(SleepSign.Place.CHANNELS, sign.place, "nobody would wake it");
    }

    @Test
    void aSelectionOfNothingDoesNotKeepLaterOnesFromTheWord() throws IOException {
        allWakeOnWord = true;
        selector.select(1);
        register(1);
        selector.select(1);
        assertEquals(SleepSign.Place.WORD, sign.place);
    }

    @Test
    void whoIsNotSelectedForAnythingShowsNoSign() throws IOException {
        register(10);
        selector.select(1);
        all.get(3).keyFor(selector).interestOps(0);
        selector.selectNow();
        assertFalse(all.get(3).shown);
        all.get(4).keyFor(selector).cancel();
        selector.selectNow();
        assertFalse(all.get(4).shown);
    }

    @Test
    void theSignGoesWithTheSelector() throws IOException {
        register(10);
        selector.select(1);
        selector.close();
        assertTrue(sign.closed);
        assertTrue(all.stream().noneMatch(each -> each.shown));
    }

    private void register(int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            all.add(new Signed());
        }
    }

    private static final class Sign implements SleepSign {
        private boolean asleep;
        private Place place;
        private final Set<Integer> setCells = new HashSet<>();
        private int cells;
        private final WakeWord word = new Word();
        private long sleepsOnWord;
        private Runnable onSleep = () -> {};
        private boolean broken;
        private boolean closed;
        private int sleeps;
        private Runnable onAsleep = () -> {};
        private Runnable onAwake = () -> {};

        @Override
        public boolean asleep(Place where) {
            asleep = true;
            place = where;
            sleeps++;
            onAsleep.run();
            return !broken;
        }

        @Override
        public void awake() {
            asleep = false;
            onAwake.run();
        }

        @Override
        public WakeWord word() {
            return word;
        }

        @Override
        public int openCell() {
            return cells++;
        }

        @Override
        public void closeCell(int cell) {
            assertTrue(cell < cells);
        }

        @Override
        public boolean hasNews() {
            return !setCells.isEmpty();
        }

        @Override
        public void takeNews(IntConsumer consumer) {
            List<Integer> taken = List.copyOf(setCells);
            setCells.clear();
            taken.forEach(consumer::accept);
        }

        @Override
        public void close() {
            closed = true;
        }

        private final class Word implements WakeWord {
            @Override
            public void arm() {
                throw new AssertionError("the sign does that");
            }

            @Override
            public boolean sleep(long timeoutNs) {
                assertTrue(asleep);
                sleepsOnWord++;
                onSleep.run();
                if (timeoutNs != Long.MAX_VALUE) {
                    LockSupport.parkNanos(timeoutNs);
                }
                return false;
            }

            @Override
            public void wake() {}
        }
    }

    /** Its device has signs. */
    private final class Signed extends ChannelInMemory {
        private final boolean listener = listens;
        private final boolean onWord = allWakeOnWord;
        private boolean refuses;
        private boolean shown;
        private boolean sets;
        private boolean told;
        private int cell;
        private int updates;
        private int watches;

        private Signed() throws IOException {
            super(selector);
        }

        @Override
        public void update(Selector inner, ExsKey key) {
            updates++;
        }

        @Override
        public boolean wakesOnWord() {
            return onWord;
        }

        @Override
        public boolean showsInInner() {
            return listener;
        }

        @Override
        public boolean signals() {
            return listener;
        }

        @Override
        public void watch() {
            watches++;
        }

        @Override
        public SleepSign openSleepSign() {
            return noSigns ? null : sign;
        }

        @Override
        public boolean show(SleepSign which, int itsCell, boolean peerSetsCell) {
            cell = itsCell;
            shown = !refuses;
            sets = peerSetsCell;
            return shown;
        }

        @Override
        public void onCellSet() {
            told = true;
        }

        @Override
        public void hide(SleepSign which) {
            shown = false;
        }
    }
}
