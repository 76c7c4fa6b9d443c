package org.exsockets.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Properties;
import org.exsockets.config.SettingsReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpinLoopTest {
    private static final long BOUND_NS = 20_000;

    /** Bounds that no other test's young places have. */
    private static final long YOUNG_BOUND_NS = BOUND_NS + 1;

    private static final class Counted implements SpinLoop.News<IOException> {
        private int looks;
        private int looksAround;
        private int arrivesAtLook = Integer.MAX_VALUE;
        private int endsAtLookAround = Integer.MAX_VALUE;
        private IOException failure;

        @Override
        public boolean arrived() {
            return ++looks >= arrivesAtLook;
        }

        @Override
        public boolean lookAround(long nowNs) throws IOException {
            if (failure != null) {
                throw failure;
            }
            return ++looksAround >= endsAtLookAround;
        }
    }

    private final Counted news = new Counted();

    @AfterEach
    void restore() {
        SpinLoop.configure(SettingsReader.defaults());
    }

    private static void configure(String spin) {
        SpinLoop.configure(SettingsReader.read(Map.of("spin", spin), new Properties(), Map.of()));
    }

    private static void needsCores() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "on a single core nobody spins");
    }

    @Test
    void zeroNeverSpins() throws IOException {
        configure("0");
        assertFalse(new SpinLoop(BOUND_NS).spin(news, Long.MAX_VALUE));
        assertEquals(0, news.looks);
    }

    @Test
    void aFixedTimeIsSpunWhateverItPays() throws IOException {
        configure("20");
        SpinLoop loop = new SpinLoop(0);
        for (int i = 0; i < 100; i++) {
            long startNs = System.nanoTime();
            assertFalse(loop.spin(news, Long.MAX_VALUE));
            assertTrue(System.nanoTime() - startNs >= 20_000);
            loop.slept(Long.MAX_VALUE);
        }
    }

    @Test
    void aSpinEndsWithTheNews() throws IOException {
        configure("1000000");
        news.arrivesAtLook = 100;
        assertTrue(new SpinLoop(0).spin(news, Long.MAX_VALUE));
        assertEquals(100, news.looks);
    }

    @Test
    void aSpinEndsWithWhatALookAroundFinds() throws IOException {
        configure("1000000");
        news.endsAtLookAround = 7;
        assertTrue(new SpinLoop(0).spin(news, Long.MAX_VALUE));
        assertEquals(7, news.looksAround);
    }

    @Test
    void aSpinEndsWithTheWait() throws IOException {
        configure("1000000");
        assertFalse(new SpinLoop(0).spin(news, 1));
        assertEquals(1, news.looksAround);
    }

    @Test
    void whatALookAroundThrowsIsThrown() {
        configure("20");
        news.failure = new IOException("the selector is closed");
        assertEquals(news.failure, assertThrows(IOException.class, () -> new SpinLoop(0).spin(news, Long.MAX_VALUE)));
    }

    @Test
    void anAutomaticSpinFollowsThePolicy() throws IOException {
        needsCores();
        SpinLoop loop = new SpinLoop(BOUND_NS);
        assertFalse(loop.spin(news, Long.MAX_VALUE));
        int looks = news.looks;
        assertTrue(looks > 0);
        assertFalse(loop.spin(news, Long.MAX_VALUE));
        assertEquals(looks, news.looks, "one wait sleeps at once after the first that failed");
        assertFalse(loop.spin(news, Long.MAX_VALUE));
        assertTrue(news.looks > looks);
    }

    @Test
    void youngPlacesLearnTogetherAndThenAlone() throws IOException {
        needsCores();
        SpinLoop one = SpinLoop.young(YOUNG_BOUND_NS);
        for (int i = 0; i < 7; i++) {
            one.spin(news, Long.MAX_VALUE);
            one.slept(Long.MAX_VALUE);
        }
        SpinLoop other = SpinLoop.young(YOUNG_BOUND_NS);
        int looks = news.looks;
        assertFalse(other.spin(news, Long.MAX_VALUE));
        assertEquals(looks, news.looks, "the first one has learned for the other that waits are long");
        assertFalse(one.spin(news, Long.MAX_VALUE));
        assertTrue(news.looks > looks, "the first one begins anew on its own");
    }
}
