package org.exsockets.compat.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final Path STACKS = Path.of("target/hung", PatienceTest.class.getName() + ".a.txt");

    @AfterEach
    void removeTheStacks() throws Exception {
        Stacks.nowOf(null);
        Files.deleteIfExists(STACKS);
    }

    @Test
    void whatIsWaitedForInVainIsReportedWithTheStacksOfAllJvmsTheFirstTime() throws Exception {
        Stacks.nowOf(PatienceTest.class.getName() + ".a");
        try (PeerJvm peer = PeerJvm.start(List.of())) {
            peer.listen(Face.NIO);
            CountDownLatch latch = new CountDownLatch(1);
            AssertionError expired = assertThrows(AssertionError.class, () -> Patience.await("it", 0, latch::await));
            assertEquals(
                    "machine too slow or hung: it, limit=0 s, stacks in compat-tests/" + STACKS, expired.getMessage());
            String stacks = Files.readString(STACKS);
            assertTrue(stacks.contains("whatIsWaitedForInVain"), stacks);
            assertTrue(stacks.contains("process " + peer.pid()) && stacks.contains("PeerMain.obey"), stacks);
            Files.delete(STACKS);
            assertThrows(AssertionError.class, () -> Patience.get("more", 0, new CompletableFuture<>()));
            assertTrue(Files.notExists(STACKS));
        }
    }

    @Test
    void waitsOfATestReportBeforeItsLimitDoes() {
        assertTrue(Patience.REST_SECONDS < Patience.CALL_SECONDS);
        assertTrue(2 * Patience.CALL_SECONDS < Patience.TEST_SECONDS);
        assertTrue(2 * Patience.PROGRAM_SECONDS < Patience.LONG_TEST_SECONDS);
        assertTrue(1000 * Patience.LONG_TEST_SECONDS < Patience.NEVER_MS);
    }
}
