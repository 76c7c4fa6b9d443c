package org.exsockets.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.jdk.JdkChannels;
import org.exsockets.verbs.SleepSign;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A selection with many hot connections sleeps behind one sign, and those stay hot. */
class SignedSelectionTest {
    private static final int SLEEPS_UNTIL_IDLE = 20;

    private final Sign sign = new Sign();
    private final List<Signed> all = new ArrayList<>();
    private ExsSelector selector;

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
    void aFewConnectionsAreArmedOneByOne() throws IOException {
        register(3);
        selector.select(1);
        assertEquals(0, sign.sleeps);
        assertTrue(all.stream().allMatch(each -> !each.shown && each.armed == 1));
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
    void whoHasNoNewsForManySleepsIsArmedAndShowsNoSign() throws IOException {
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
            assertEquals(active.contains(each) ? 0 : 1, each.armed);
            assertEquals(active.contains(each), each.shown);
        }
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
        private boolean broken;
        private boolean closed;
        private int sleeps;
        private Runnable onAsleep = () -> {};
        private Runnable onAwake = () -> {};

        @Override
        public boolean asleep() {
            asleep = true;
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
        public void close() {
            closed = true;
        }
    }

    /** Its device has signs. */
    private final class Signed extends ChannelInMemory {
        private boolean refuses;
        private boolean shown;

        private Signed() throws IOException {
            super(selector);
        }

        @Override
        public SleepSign openSleepSign() {
            return sign;
        }

        @Override
        public boolean show(SleepSign which) {
            assertTrue(sign.asleep, "turned first");
            shown = !refuses;
            return shown;
        }

        @Override
        public void hideSign() {
            shown = false;
        }
    }
}
