package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LocalAddressesTest {
    /** Longer than what was seen counts as fresh. */
    private static final long STALE_MS = 1_100;

    private final InetAddress own = address(1);
    private final InetAddress foreign = address(2);
    private boolean failing;
    private final LocalAddresses addresses = new LocalAddresses(() -> {
        if (failing) {
            throw new SocketException("Too many open files");
        }
        return Set.of(own);
    });

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
}
