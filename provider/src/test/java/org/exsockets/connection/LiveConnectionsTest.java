package org.exsockets.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.observe.Description;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The background thread looks at all connections. */
class LiveConnectionsTest {
    private static final int EACH = 20;

    /** Only looks of the test count: the background thread may look, too. */
    private static class Looked implements LiveConnections.Live {
        private final Thread test = Thread.currentThread();
        private final boolean fails;
        private int looks;

        Looked(boolean fails) {
            this.fails = fails;
        }

        @Override
        public void describe(Description into) {}

        @Override
        public void lookForLosses() {
            if (Thread.currentThread() == test) {
                looks++;
            }
            if (fails) {
                throw new IllegalStateException("expected by a test");
            }
        }

        @Override
        public InetSocketAddress localAddress() {
            return null;
        }
    }

    @Test
    void oneThatFailsKeepsNoneFromBeingLookedAt() {
        List<Looked> all = new ArrayList<>();
        for (int i = 0; i < 2 * EACH; i++) {
            all.add(new Looked(i % 2 == 0));
        }
        all.forEach(LiveConnections::add);
        try {
            while (all.get(0).looks == 0) { // Until it is due.
                LiveConnections.LOOK.getAsBoolean();
            }
            all.forEach(each -> assertEquals(1, each.looks));
        } finally {
            all.forEach(LiveConnections::remove);
        }
    }

    /** A look during which the process was stopped must not be the last one for hours. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1000000, 500000000", "10000000, 5000000000", "60000000000, 5000000000"})
    void looksPauseForLongerTheLongerTheyTakeButForSecondsAtMost(long tookNs, long pauseNs) {
        assertEquals(pauseNs, LiveConnections.pauseNs(tookNs));
    }

    @Test
    void watchersAreToldOfThoseOfTheProgram() {
        Looked programs = new Looked(false);
        Looked own = new Looked(false) {
            @Override
            public boolean isOfProgram() {
                return false;
            }
        };
        List.of(programs, own).forEach(LiveConnections::add);
        try {
            assertTrue(LiveConnections.all().contains(programs));
            assertFalse(LiveConnections.all().contains(own));
        } finally {
            List.of(programs, own).forEach(LiveConnections::remove);
        }
    }
}
