package org.exsockets.rendezvous;

import static org.exsockets.rendezvous.RendezvousFixture.REMOTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.exsockets.config.Face;
import org.exsockets.observe.FallbackReason;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Failed connects over an adapter are remembered for a while, so that nobody waits for the same failure again. */
class RememberedFailuresTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final String ALL_EXS = "both * * exs";

    @TempDir
    private Path directory;

    private RendezvousFixture failing(Kind kind, int retrySeconds) {
        RendezvousFixture fixture = RendezvousFixture.of(
                directory, Map.of("device", "disni", "retry", Integer.toString(retrySeconds)), ALL_EXS);
        fixture.disni.failure = kind;
        return fixture;
    }

    @ParameterizedTest
    @EnumSource(names = {"TIMED_OUT", "NO_ROUTE", "FAILED", "VERSION"})
    void aFailureIsRememberedUntilItsTimeIsOver(Kind kind) {
        RendezvousFixture fixture = failing(kind, 30);
        fixture.connect(REMOTE);
        fixture.nowNs.addAndGet(30 * SECOND_NS - 1);
        assertEquals("remembered-failure", fixture.outcome(REMOTE));
        assertEquals(1, fixture.disni.connects.size());
        fixture.nowNs.addAndGet(1);
        fixture.disni.failure = null;
        assertEquals("disni", fixture.outcome(REMOTE));
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCKED_MEMORY", "NO_MEMORY", "NO_DESCRIPTORS", "BACKLOG_FULL", "PASSING"})
    void whatMayPassIsNotRemembered(Kind kind) {
        RendezvousFixture fixture = failing(kind, 30);
        fixture.connect(REMOTE);
        fixture.disni.failure = null;
        assertEquals("disni", fixture.outcome(REMOTE));
    }

    @Test
    void aRefusalCountsOnlyWhenItComesAgainAfterTcpHasGotThrough() {
        RendezvousFixture fixture = failing(Kind.REFUSED, 30);
        assertEquals("refused", fixture.outcome(REMOTE));
        assertEquals("refused", fixture.outcome(REMOTE), "the server may not have been started yet");
        fixture.rendezvous.connectedTcp(REMOTE);
        fixture.nowNs.addAndGet(FailureMemory.GRACE_NS - 1);
        assertEquals("refused", fixture.outcome(REMOTE));
        fixture.rendezvous.connectedTcp(REMOTE);
        assertEquals("refused", fixture.outcome(REMOTE), "the server may be about to listen on its adapters");
        fixture.nowNs.addAndGet(1);
        assertEquals("refused", fixture.outcome(REMOTE));
        assertEquals("remembered-failure", fixture.outcome(REMOTE));
        fixture.nowNs.addAndGet(30 * SECOND_NS);
        fixture.disni.failure = null;
        assertEquals("disni", fixture.outcome(REMOTE));
    }

    /** Its clients may find it listening on TCP, and not yet on its adapters, at each start. */
    @Test
    void aServerMayStartAgainAndAgain() {
        RendezvousFixture fixture = failing(Kind.REFUSED, 30);
        for (int i = 0; i < 3; i++) {
            fixture.disni.failure = Kind.REFUSED;
            assertEquals("refused", fixture.outcome(REMOTE));
            fixture.rendezvous.connectedTcp(REMOTE);
            fixture.disni.failure = null;
            assertEquals("disni", fixture.outcome(REMOTE));
            fixture.nowNs.addAndGet(10 * SECOND_NS);
        }
    }

    @Test
    void aProgramInAHurryDoesNotSpoilItForTheOthers() throws Exception {
        RendezvousFixture fixture = failing(Kind.TIMED_OUT, 30);
        fixture.rendezvous.tryConnect(REMOTE, 100, fixture.binding, Face.NET);
        assertEquals("rdma-timeout", fixture.outcome(REMOTE));
        assertEquals("remembered-failure", fixture.outcome(REMOTE));
    }

    @Test
    void whoIsNotToldThatItIsItsTurnUsesTcpAndCountsWhy() {
        RendezvousFixture fixture = failing(Kind.TIMED_OUT, 30);
        assertEquals("rdma-exhausted", fixture.outcomeInstead(REMOTE), "too many were under way");
        assertEquals("rdma-timeout", fixture.outcome(REMOTE));
        assertEquals("remembered-failure", fixture.outcomeInstead(REMOTE), "those before had no answer");
        assertEquals(1, fixture.disni.connects.size());
    }

    @Test
    void anotherPortOfTheHostIsAnotherMatter() {
        RendezvousFixture fixture = failing(Kind.TIMED_OUT, 30);
        fixture.connect(REMOTE);
        fixture.disni.failure = null;
        assertEquals("disni", fixture.outcome(new InetSocketAddress(REMOTE.getAddress(), 5001)));
        assertEquals("remembered-failure", fixture.outcome(REMOTE));
    }

    @Test
    void zeroRemembersNothing() {
        RendezvousFixture fixture = failing(Kind.TIMED_OUT, 0);
        fixture.connect(REMOTE);
        assertEquals("rdma-timeout", fixture.outcome(REMOTE));
        assertEquals(2, fixture.disni.connects.size());
    }

    @Test
    void sharedMemoryForgetsAtOnce() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "soft");
        fixture.soft.failure = Kind.FAILED;
        fixture.connect(REMOTE);
        fixture.soft.failure = null;
        assertEquals("soft", fixture.outcome(REMOTE));
    }

    @Test
    void theOldestFailureMakesRoomForANewOne() {
        AtomicLong nowNs = new AtomicLong();
        FailureMemory memory = new FailureMemory(30, nowNs::get);
        for (int i = 0; i <= FailureMemory.MAX_FAILURES; i++) {
            memory.add(new InetSocketAddress("192.0.2.1", 1 + i), FallbackReason.RDMA_TIMEOUT);
            if (i == 1) {
                // Failed again, so it is not the oldest any more.
                memory.add(new InetSocketAddress("192.0.2.1", 1), FallbackReason.RDMA_TIMEOUT);
            }
        }
        assertNotNull(memory.find(new InetSocketAddress("192.0.2.1", 1)));
        assertNull(memory.find(new InetSocketAddress("192.0.2.1", 2)));
        assertNotNull(memory.find(new InetSocketAddress("192.0.2.1", 3)));
    }
}
