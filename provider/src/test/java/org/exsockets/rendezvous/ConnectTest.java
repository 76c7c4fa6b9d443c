package org.exsockets.rendezvous;

import static org.exsockets.rendezvous.RendezvousFixture.EPHEMERAL;
import static org.exsockets.rendezvous.RendezvousFixture.LOOPBACK;
import static org.exsockets.rendezvous.RendezvousFixture.REMOTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.exsockets.config.Face;
import org.exsockets.observe.DeviceKind;
import org.exsockets.observe.Statistics;
import org.exsockets.verbs.ConnectFailure.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which device a connect uses, in which order they are tried, and which reason is counted. */
class ConnectTest {
    private static final String ALL_EXS = "both * * exs";

    @TempDir
    private Path directory;

    /** The table of decisions: what is allowed, what each device says, and what comes of it. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // device, rule, soft says, disni says: outcome
                "auto,  -,    LIKELY,      LIKELY,      soft",
                "auto,  -,    NOT_LOCAL,   LIKELY,      not-local",
                "auto,  -,    NO_LISTENER, LIKELY,      no-listener",
                "auto,  exs,  LIKELY,      LIKELY,      soft",
                "auto,  exs,  NOT_LOCAL,   LIKELY,      disni",
                "auto,  exs,  NO_LISTENER, LIKELY,      disni",
                "auto,  exs,  NOT_LOCAL,   NO_ROUTE,    no-rdma-route",
                "auto,  exs,  NO_LISTENER, NO_ROUTE,    no-listener",
                "auto,  tcp,  LIKELY,      LIKELY,      rule",
                "soft,  -,    LIKELY,      LIKELY,      soft",
                "soft,  exs,  NOT_LOCAL,   LIKELY,      not-local",
                "soft,  exs,  LIKELY,      LIKELY,      soft",
                "disni, -,    LIKELY,      LIKELY,      no-rule",
                "disni, exs,  LIKELY,      LIKELY,      disni",
                "disni, exs,  LIKELY,      NO_ROUTE,    no-rdma-route",
                "disni, tcp,  LIKELY,      LIKELY,      rule",
                "none,  exs,  LIKELY,      LIKELY,      disabled",
            })
    void theDecisionFollowsSettingsRulesAndDevices(
            String device, String verdict, String softSays, String disniSays, String expected) {
        RendezvousFixture fixture = verdict == null
                ? RendezvousFixture.of(directory, device)
                : RendezvousFixture.of(directory, device, "connect * * " + verdict);
        fixture.soft.says(softSays);
        fixture.disni.says(disniSays);
        assertEquals(expected, fixture.outcome(REMOTE));
    }

    @Test
    void theFirstConnectionOverSharedMemoryIsToldOnce() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.soft.says("NOT_LOCAL");
        assertEquals("disni", fixture.outcome(REMOTE));
        assertEquals(0, fixture.firstConnections);
        fixture.soft.says("LIKELY");
        assertEquals("soft", fixture.outcome(REMOTE));
        assertEquals(1, fixture.firstConnections);
        assertEquals("soft", fixture.outcome(REMOTE));
        assertEquals(1, fixture.firstConnections);
    }

    @Test
    void aProcessIsConnectedWithItselfOnlyWhereThatTakesNothingFromTheProgram() throws Exception {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.soft.hasRoom = false;
        assertNull(fixture.rendezvous.ownPair());
        assertEquals(List.of(), fixture.soft.connects);
    }

    @Test
    void theAdapterIsNotOpenedBeforeARuleAsksForIt() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", "connect 192.0.2.7 * exs");
        fixture.soft.says("NOT_LOCAL");
        fixture.connect(new InetSocketAddress("192.0.2.8", 5000));
        assertEquals(Map.of("soft", 1), fixture.opened);
        assertEquals("disni", fixture.outcome(REMOTE));
        assertEquals(Map.of("soft", 1, "disni", 1), fixture.opened);
    }

    @Test
    void loopbackDestinationsDoNotOpenTheAdapterUnlessItIsAllThereIs() {
        RendezvousFixture auto = RendezvousFixture.of(directory, "auto", ALL_EXS);
        auto.soft.says("NO_LISTENER");
        assertEquals("no-listener", auto.outcome(LOOPBACK));
        assertNull(auto.opened.get("disni"));
        assertEquals("disni", RendezvousFixture.of(directory, "disni", ALL_EXS).outcome(LOOPBACK));
    }

    @Test
    void aDeviceThatCannotBeOpenedIsTriedOnce() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.soft.says("NOT_LOCAL");
        fixture.disniObstacle = new IOException("no RDMA adapter");
        assertEquals("device-unavailable", fixture.outcome(REMOTE));
        assertEquals("device-unavailable", fixture.outcome(REMOTE));
        assertEquals(1, fixture.opened.get("disni"));
    }

    @Test
    void linkLocalAndMulticastDestinationsStayOnTcp() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        assertEquals("unsupported-address", fixture.outcome(new InetSocketAddress("169.254.1.1", 5000)));
        assertEquals("unsupported-address", fixture.outcome(new InetSocketAddress("224.0.0.1", 5000)));
    }

    @ParameterizedTest
    @CsvSource({
        "REFUSED,        refused",
        "BACKLOG_FULL,   backlog-full",
        "NO_MEMORY,      rdma-exhausted",
        "MEMORY_LIMIT,   memory-limit",
        "NO_DESCRIPTORS, descriptors-exhausted",
        "OTHER_USER,     other-user",
        "VERSION,        version",
        "NO_ROUTE,       no-rdma-route",
        "TIMED_OUT,      rdma-timeout",
        "LOCKED_MEMORY,  locked-memory",
        "FAILED,         handshake-failed",
    })
    void aFailedConnectOverTheAdapterIsCountedWithItsReason(Kind kind, String expected) {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "disni", ALL_EXS);
        fixture.disni.failure = kind;
        assertEquals(expected, fixture.outcome(REMOTE));
    }

    @ParameterizedTest
    @CsvSource({
        "REFUSED,        no-listener",
        "BACKLOG_FULL,   backlog-full",
        "NO_MEMORY,      shm-full",
        "MEMORY_LIMIT,   memory-limit",
        "NO_DESCRIPTORS, descriptors-exhausted",
        "OTHER_USER,     other-user",
        "VERSION,        version",
        "FAILED,         handshake-failed",
    })
    void aFailedConnectOverSharedMemoryIsCountedWithItsReason(Kind kind, String expected) {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "soft");
        fixture.soft.failure = kind;
        assertEquals(expected, fixture.outcome(LOOPBACK));
    }

    @Test
    void theAdapterIsTriedWhereSharedMemoryFailsAndTheNearerDevicesReasonIsCounted() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.soft.failure = Kind.NO_MEMORY;
        assertEquals("disni", fixture.outcome(REMOTE));
        fixture.disni.failure = Kind.TIMED_OUT;
        assertEquals("shm-full", fixture.outcome(REMOTE));
        assertEquals(List.of(REMOTE, REMOTE), fixture.soft.connects);
        assertEquals(List.of(REMOTE, REMOTE), fixture.disni.connects);
    }

    @Test
    void aSocketThatCannotBeBoundEndsTheAttempt() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "disni", ALL_EXS);
        fixture.bindFailure = new IOException("Too many open files");
        assertEquals("descriptors-exhausted", fixture.outcome(REMOTE));
        assertTrue(fixture.disni.connects.isEmpty());
    }

    @Test
    void sharedMemoryNeedsNoBoundSocket() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.bindFailure = new IOException("Too many open files");
        assertEquals("soft", fixture.outcome(REMOTE));
    }

    @Test
    void thePeerSeesTheAddressThatTcpWouldHaveShown() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.connect(LOOPBACK);
        fixture.boundBefore = fixture.bound;
        fixture.connect(LOOPBACK);
        fixture.boundBefore = new InetSocketAddress("127.0.0.2", EPHEMERAL);
        fixture.connect(LOOPBACK);
        assertEquals(
                List.of(
                        new InetSocketAddress("127.0.0.1", 0),
                        new InetSocketAddress("127.0.0.1", EPHEMERAL),
                        fixture.boundBefore),
                fixture.soft.locals,
                "a port is the connection's to find, if somebody asks");
        fixture.soft.says("NOT_LOCAL");
        fixture.connect(REMOTE);
        fixture.bound = new InetSocketAddress("192.0.2.1", EPHEMERAL);
        fixture.connect(REMOTE);
        assertEquals(
                List.of(new InetSocketAddress("0.0.0.0", EPHEMERAL), fixture.bound),
                fixture.disni.locals,
                "the host of a route is the device's to find");
    }

    @Test
    void onThisHostThePeerSeesWhatTheKernelWouldHaveTaken() throws Exception {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.connect(new InetSocketAddress("127.1.2.3", 5000));
        byte[] six = InetAddress.getByName("fd00::2").getAddress();
        fixture.connect(new InetSocketAddress(Inet6Address.getByAddress("name", six, 4), 5000));
        assertEquals(
                List.of("/127.0.0.1", "/fd00:0:0:0:0:0:0:2"),
                fixture.soft.locals.stream()
                        .map(local -> local.getAddress().toString())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({"::1, 192.0.2.7", "fd00::2, 127.0.0.1", "127.0.0.1, ::1", "192.0.2.1, fd00::2", "fe80::1, fd00::2"})
    void boundToWhatCannotBeTheSourceItIsLeftToTcp(String bound, String destination) {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.bound = new InetSocketAddress(bound, EPHEMERAL);
        fixture.boundBefore = fixture.bound;
        assertEquals("unsupported-address", fixture.outcome(new InetSocketAddress(destination, 5000)));
        assertTrue(fixture.soft.connects.isEmpty());
        assertTrue(fixture.disni.connects.isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"fd00::1, 192.0.2.7", "192.0.2.1, fd00::2", "fe80::1, fd00::2"})
    void suchASourceIsNoneForAnAdapterEither(String bound, String destination) {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "disni", ALL_EXS);
        fixture.bound = new InetSocketAddress(bound, EPHEMERAL);
        assertEquals("unsupported-address", fixture.outcome(new InetSocketAddress(destination, 5000)));
        assertTrue(fixture.disni.connects.isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"::, 192.0.2.7", "0.0.0.0, fd00::2", "::1, fd00::2", "192.0.2.1, 127.0.0.1"})
    void boundToTheSameProtocolOrToAnyAddressItIsServed(String bound, String destination) {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.boundBefore = new InetSocketAddress(bound, EPHEMERAL);
        assertEquals("soft", fixture.outcome(new InetSocketAddress(destination, 5000)));
    }

    @Test
    void withoutMemoryTcpIsUsedAndEverythingIsLeftAloneForASecond() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.soft.error = new OutOfMemoryError("scripted");
        assertEquals("memory-exhausted", fixture.outcome(LOOPBACK));
        fixture.soft.error = null;
        fixture.nowNs.addAndGet(Rendezvous.MEMORY_PAUSE_NS - 1);
        assertEquals("memory-exhausted", fixture.outcome(LOOPBACK));
        assertEquals(1, fixture.soft.connects.size());
        assertTrue(fixture.rendezvous
                .tryListen(Protocol.STREAM, LOOPBACK, false, 1, Face.NET)
                .isEmpty());
        fixture.nowNs.addAndGet(1);
        assertEquals("soft", fixture.outcome(LOOPBACK));
        fixture.soft.error = new OutOfMemoryError("scripted");
        assertTrue(fixture.rendezvous
                .tryListen(Protocol.STREAM, LOOPBACK, false, 1, Face.NET)
                .isEmpty());
        assertEquals("memory-exhausted", fixture.outcome(LOOPBACK));
    }

    /** An initialiser of its has met the want of memory: the class stays broken, the program goes on over TCP. */
    @Test
    void aClassThatIsBrokenIsADeviceThatCannotBeUsed() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        fixture.soft.error = new NoClassDefFoundError("scripted");
        assertEquals("device-unavailable", fixture.outcome(LOOPBACK));
        assertTrue(fixture.rendezvous
                .tryListen(Protocol.STREAM, LOOPBACK, false, 1, Face.NET)
                .isEmpty());
    }

    @Test
    void connectionsAreCountedByTheirDevice() {
        RendezvousFixture fixture = RendezvousFixture.of(directory, "auto", ALL_EXS);
        long soft = Statistics.jvm().connections(DeviceKind.SOFT);
        long disni = Statistics.jvm().connections(DeviceKind.DISNI);
        fixture.connect(LOOPBACK);
        fixture.soft.says("NOT_LOCAL");
        fixture.rendezvous.accepted(fixture.connect(REMOTE));
        assertEquals(soft + 1, Statistics.jvm().connections(DeviceKind.SOFT));
        assertEquals(disni + 2, Statistics.jvm().connections(DeviceKind.DISNI));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "104, 0, 104", "0, 40, 40", "104, 40, 104"})
    void aProgramsTrafficClassGoesBeforeThatOfTheSettings(int programs, int settings, int expected) {
        RendezvousFixture fixture = RendezvousFixture.of(
                directory, Map.of("device", "disni", "rdma.tos", Integer.toString(settings)), ALL_EXS);
        fixture.trafficClass = programs;
        assertEquals("disni", fixture.outcome(REMOTE));
        assertEquals(expected, fixture.disni.wanted.get(0).trafficClass());
    }
}
