package org.exsockets.nio.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.jdk.JdkChannels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts which connections a selection looks at: those that are ready or have been lately, however many others there are. */
class SelectionCostTest {
    private static final int SELECTIONS = 1_000;

    /** More than any connection is looked at in vain before it is left to its wake-up. */
    private static final int UNTIL_IDLE = 5_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 10_000})
    void idleConnectionsAreNotLookedAt(int idleConnections) throws Exception {
        try (ExsSelector selector = new ExsSelector(JdkChannels.provider())) {
            Counted active = new Counted(selector);
            active.ready = SelectionKey.OP_READ;
            List<Counted> idle = new ArrayList<>();
            for (int i = 0; i < idleConnections; i++) {
                idle.add(new Counted(selector));
            }
            select(selector, UNTIL_IDLE);
            assertTrue(idle.stream().allMatch(each -> each.looks > 0), "each has been looked at when it was new");
            assertEquals(
                    idleConnections,
                    idle.stream().filter(each -> each.armed > 0).count());
            active.looks = 0;
            idle.forEach(each -> each.looks = 0);

            select(selector, SELECTIONS);
            assertEquals(SELECTIONS, active.looks);
            assertEquals(0, idle.stream().mapToLong(each -> each.looks).sum());
        }
    }

    @Test
    void aSelectionThatSleepsLooksAtNoneOfThoseThatSleptBefore() throws Exception {
        try (ExsSelector selector = new ExsSelector(JdkChannels.provider())) {
            List<Counted> all = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                all.add(new Counted(selector));
            }
            assertEquals(0, selector.select(1));
            assertEquals(1_000, all.stream().filter(each -> each.armed > 0).count());
            all.forEach(each -> each.looks = 0);
            all.forEach(each -> each.armed = 0);

            assertEquals(0, selector.select(1));
            assertEquals(0, all.stream().mapToLong(each -> each.looks).sum());
            assertEquals(0, all.stream().mapToLong(each -> each.armed).sum());
        }
    }

    /** The peers of a selector that is busy elsewhere may ring for ever. */
    @Test
    void aKeyThatIsSignalledAgainAndAgainIsLookedAtOnce() throws Exception {
        try (ExsSelector selector = new ExsSelector(JdkChannels.provider())) {
            Counted channel = new Counted(selector);
            selector.selectNow();
            for (int round = 0; round < 3; round++) {
                channel.updates = 0;
                for (int i = 0; i < 1_000; i++) {
                    selector.onSignal((ExsKey) channel.keyFor(selector));
                }
                selector.selectNow();
                assertEquals(1, channel.updates);
            }
        }
    }

    private static void select(ExsSelector selector, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            selector.selectNow();
            selector.selectedKeys().clear();
        }
    }

    /** Counts the looks at it. */
    private static final class Counted extends ChannelInMemory {
        private long looks;
        private long updates;

        Counted(ExsSelector selector) throws IOException {
            super(selector);
        }

        @Override
        public int poll(int interest) {
            looks++;
            return super.poll(interest);
        }

        @Override
        public void update(Selector inner, ExsKey key) {
            updates++;
        }

        @Override
        public boolean hasNews() {
            looks++;
            return super.hasNews();
        }
    }
}
