package org.exsockets.verbs.disni.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.exsockets.verbs.EndpointParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionSizesTest {
    private static final int KIB = 1 << 10;
    private static final int PROBE = 1;
    private static final int FAREWELL = 1;

    @Test
    void aConnectionLocksAtMost500KibibytesWithTheQueuesOfMlx5() {
        ConnectionSizes usual = ConnectionSizes.usual();
        assertEquals(256 * KIB, usual.exposedBytes());
        assertEquals(64 * KIB, usual.ringBytes());
        assertEquals(64, usual.receiveDepth());
        assertEquals(128, usual.sendDepth());
        // 256 hidden, 84 ring, slots and completions, 68 work queues, 16 completion queue.
        assertEquals(424 * KIB, usual.lockedBytes(4 * KIB));
    }

    /** Send requests of 512 bytes, receives of 16 with their one element, completions of 64, each queue rounded up to a power of two. */
    @ParameterizedTest
    @CsvSource({"32, 64, 36, 8", "64, 128, 68, 16", "256, 512, 264, 64", "2048, 4096, 2112, 512"})
    void queuesAreCountedAsMlx5MakesThem(int receives, int sends, int workKib, int completionsKib) {
        ConnectionSizes sizes = new ConnectionSizes(64 * KIB, receives);
        assertEquals(sends, sizes.sendDepth());
        long own = 64 * KIB + (sizes.localBytes() + 4 * KIB - 1 & -4 * KIB);
        assertEquals((workKib + completionsKib) * KIB, sizes.lockedBytes(4 * KIB) - own);
    }

    @Test
    void largePagesAreCountedWhole() {
        // 256 hidden, 128 for 81, 128 for 66, 64 for 16.
        assertEquals(576 * KIB, ConnectionSizes.usual().lockedBytes(64 * KIB));
        assertEquals(128 * KIB, RegistrationBudget.pageBytes(64 * KIB - 1, 64 * KIB + 1, 64 * KIB));
        assertEquals(8 * KIB, RegistrationBudget.pageBytes(4 * KIB - 1, 4 * KIB + 1, 4 * KIB));
    }

    /** A SEND that finds no request ends the connection. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048})
    void sendsFindARequestWhileTheyHaveACredit(int receives) {
        ConnectionSizes sizes = new ConnectionSizes(64 * KIB, receives);
        int behindTheLastSignal = sizes.signalEvery() - 1;
        int late = receives / 8;
        assertTrue(sizes.writeDepth() + receives + behindTheLastSignal + late + PROBE + FAREWELL <= sizes.sendDepth());
        assertTrue(sizes.writeDepth() > behindTheLastSignal, "writes go on before all have completed");
    }

    @Test
    void adaptersHaveFewerReceivesThanOtherDevices() {
        EndpointParameters wanted = new EndpointParameters(64 * KIB, 256 * KIB, 256, 3, 4);
        assertEquals(new EndpointParameters(64 * KIB, 256 * KIB, 64, 3, 4), ConnectionSizes.ofAdapters(wanted));
        EndpointParameters less = new EndpointParameters(4 * KIB, 8 * KIB, 8, 3, 4);
        assertEquals(less, ConnectionSizes.ofAdapters(less));
    }
}
