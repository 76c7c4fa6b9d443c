package org.exsockets.verbs.soft.meet;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LocalAddressesTest {
    /** Longer than what was seen counts as fresh. */
    private static final long STALE_MS = 1_100;

    /** Longer than those who are told no must wait for another look. */
    private static final long ANEW_MS = 20;

    private final InetAddress own = address(1);
    private final InetAddress foreign = address(2);
    private boolean failing;
    private final LocalAddresses addresses = new LocalAddresses() {
        @Override
        Set<InetAddress> ofThisHost() throws SocketException {
            if (failing) {
                throw new SocketException("Too many open files");
            }
            return Set.of(own);
        }
    };

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void knowsTheAddressesOfThisHost() {
        assertTrue(addresses.contains(own));
        assertFalse(addresses.contains(foreign));
        assertTrue(addresses.contains(InetAddress.getLoopbackAddress()));
    }

    @Test
    void whatWasSeenLastCountsWhereNothingCanBeSeen() throws Exception {
        addresses.look();
        failing = true;
        Thread.sleep(STALE_MS);
        assertTrue(addresses.contains(own));
        assertFalse(addresses.contains(foreign));
    }

    @Test
    void aFailureIsNotRemembered() {
        failing = true;
        assertFalse(addresses.contains(own));
        failing = false;
        assertTrue(addresses.contains(own));
    }

    @Test
    void anAddressThatWasAddedIsFoundBeforeItIsDenied() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        LocalAddresses growing = new LocalAddresses() {
            @Override
            Set<InetAddress> ofThisHost() {
                return looks.incrementAndGet() == 1 ? Set.of(own) : Set.of(own, foreign);
            }
        };
        long startNs = System.nanoTime();
        assertTrue(growing.contains(own));
        Thread.sleep(ANEW_MS);
        assertTrue(growing.containsByNow(own));
        boolean seenOnce = looks.get() == 1 && !growing.contains(foreign);
        boolean late = System.nanoTime() - startNs > STALE_MS / 2 * 1_000_000;
        assertTrue(late || seenOnce, "what was seen lately does for those who have another way");
        assertTrue(growing.containsByNow(foreign));
    }

    @Test
    void whoeverIsDeniedDoesNotKeepTheKernelBusy() {
        AtomicInteger looks = new AtomicInteger();
        LocalAddresses counted = new LocalAddresses() {
            @Override
            Set<InetAddress> ofThisHost() {
                looks.incrementAndGet();
                return Set.of(own);
            }
        };
        long startNs = System.nanoTime();
        for (int i = 0; i < 10_000; i++) {
            assertFalse(counted.containsByNow(foreign));
        }
        long mostLooks = 1 + (System.nanoTime() - startNs) / (ANEW_MS * 1_000_000 / 2);
        assertTrue(looks.get() <= mostLooks, looks + " looks");
    }
}
