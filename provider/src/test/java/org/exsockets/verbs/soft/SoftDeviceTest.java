package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.exsockets.verbs.Reachability;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkRequest;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Names and memory of the software device: what processes leave, and what is left of it. */
class SoftDeviceTest extends SoftFixture {
    @Test
    void aNameLeftByADeadProcessIsTakenOver() throws Exception {
        Path name = onlyListener();
        listener().close();
        try (ServerSocketChannel crashed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            crashed.bind(UnixDomainSocketAddress.of(name));
        }
        assertTrue(Files.exists(name));
        assertEquals(Reachability.LIKELY, device().reachability(address(), PARAMETERS));
        ConnectFailure stale =
                assertThrows(ConnectFailure.class, () -> device().connect(client(1), address(), PARAMETERS));
        assertEquals(ConnectFailure.Kind.REFUSED, stale.kind());
        try (DeviceListener successor = device().listen(address(), false, 5, PARAMETERS)) {
            connectOnly(PARAMETERS);
            assertNotNull(accept(successor));
        }
        assertFalse(Files.exists(name));
    }

    @Test
    void aStaleNameDoesNotHideTheWildcard() throws Exception {
        Path name = onlyListener();
        listener().close();
        try (ServerSocketChannel crashed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            crashed.bind(UnixDomainSocketAddress.of(name));
        }
        var any = new InetSocketAddress("0.0.0.0", address().getPort());
        try (DeviceListener wildcard = device().listen(any, false, 5, PARAMETERS)) {
            connectOnly(PARAMETERS);
            assertNotNull(accept(wildcard));
        }
    }

    @Test
    void aClientWithoutAPortHasOneWhenSomebodyAsks() throws Exception {
        Endpoint a = ended(device().connect(new InetSocketAddress(host(), 0), address(), PARAMETERS));
        Endpoint b = accept(listener());
        InetSocketAddress asked = b.remoteSocketAddress();
        assertTrue(asked.getPort() > 0);
        assertEquals(asked, a.localAddress());
        assertEquals(address(), a.remoteSocketAddress());
        assertEquals(address(), b.localAddress());

        b.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        a.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
        b.release();
        a.release();
        Endpoint next = ended(device().connect(new InetSocketAddress(host(), 0), address(), PARAMETERS));
        accept(listener());
        next.localAddress();
        assertEquals(asked, a.localAddress(), "the segment is another connection's now");
        assertEquals(asked, b.remoteSocketAddress());
    }

    @Test
    void whoAsksForAHostAloneFixesNoPort() throws Exception {
        Endpoint a = ended(device().connect(new InetSocketAddress(host(), 0), address(), PARAMETERS));
        Endpoint b = accept(listener());
        assertEquals(host(), b.remoteHost());
        assertEquals(host(), a.localHost());
        assertThrows(
                BindException.class, () -> new ServerSocket(a.localAddress().getPort()).close());
    }

    @Test
    void aKnownListenerThatHasClosedIsNotTriedAgain() throws Exception {
        connectOnly(PARAMETERS);
        assertNotNull(accept(listener()));
        listener().close();
        assertEquals(Reachability.NO_LISTENER, device().reachability(address(), PARAMETERS));
        assertThrows(ConnectFailure.class, () -> device().connect(client(2), address(), PARAMETERS));
        try (DeviceListener successor = device().listen(address(), false, 5, PARAMETERS)) {
            assertEquals(Reachability.LIKELY, device().reachability(address(), PARAMETERS));
            connectOnly(PARAMETERS);
            assertNotNull(accept(successor));
        }
    }

    /** A process that is killed cannot say that it does not listen any more. */
    @Test
    void aKnownListenerThatWasKilledMakesRoomForItsSuccessor() throws Exception {
        connectOnly(PARAMETERS);
        assertNotNull(accept(listener()));
        for (String socket : memory.names("k")) {
            Files.delete(memory.directory().resolve(socket));
        }
        ConnectFailure killed =
                assertThrows(ConnectFailure.class, () -> device().connect(client(2), address(), PARAMETERS));
        assertEquals(ConnectFailure.Kind.REFUSED, killed.kind());
        try (DeviceListener successor = device().listen(address(), false, 5, PARAMETERS)) {
            connectOnly(PARAMETERS);
            assertNotNull(accept(successor));
        }
    }

    @Test
    void aListenerTellsOfArrivalsWithoutASystemCall() throws Exception {
        assertTrue(listener().tellsArrivals());
        assertFalse(listener().hasArrivals());
        connectOnly(PARAMETERS);
        assertTrue(listener().hasArrivals());
        connectOnly(PARAMETERS);
        assertTrue(listener().hasArrivals());
        accept(listener());
        assertTrue(listener().hasArrivals());
        accept(listener());
        assertFalse(listener().hasArrivals());
        assertNull(listener().tryAccept());
        assertFalse(listener().hasArrivals());
        connectOnly(PARAMETERS);
        assertTrue(listener().hasArrivals());
    }

    @Test
    void aListenerWithoutAKnockerStillAccepts() throws Exception {
        Files.delete(memory.directory().resolve(memory.names("n").get(0)));
        connectOnly(PARAMETERS);
        assertFalse(listener().hasArrivals());
        assertNotNull(accept(listener()));
    }

    @Test
    void moreListenersThanAreRememberedAreReached() throws Exception {
        InetSocketAddress any = new InetSocketAddress("127.0.0.2", address().getPort());
        for (int i = 0; i < 70; i++) {
            try (DeviceListener each = device().listen(any, false, 5, PARAMETERS)) {
                ended(device().connect(client(1), any, PARAMETERS));
                assertTrue(each.hasArrivals());
                accept(each);
            }
            connectOnly(PARAMETERS);
            accept(listener());
        }
    }

    @Test
    void aClosedListenerLeavesNoName() throws Exception {
        EndpointParameters versions = new EndpointParameters(EXPOSED_BYTES, DEPTH, 1, 3);
        listener().close();
        try (DeviceListener several = device().listen(address(), false, 5, versions)) {
            assertEquals(3, memory.names("l").size());
            assertNotNull(several);
        }
        assertEquals(List.of(), memory.names(""));
    }

    @Test
    void theEndOfTheJvmRemovesNamesButConnectionsGoOn() throws Exception {
        Pair pair = connect();
        device().close();
        assertEquals(List.of(), memory.names(""));
        assertSendArrives(pair.a(), pair.b(), 3);
        assertSendArrives(pair.b(), pair.a(), 3);
    }

    @Test
    void anEndOfTheJvmLeavesASegmentToAnAcceptorThatIsYetToCome() throws Exception {
        Endpoint a = connectOnly(PARAMETERS);
        postedAndClosed(a);
        device().close();
        Endpoint b = accept(listener());
        postReceive(b, 1);
        assertEquals(0, poll(b).byteLength);
    }

    private static void postedAndClosed(Endpoint a) {
        post(a, new WorkRequest().send(ByteBuffer.allocate(0), 0, 0));
        a.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
    }

    @Test
    void receivesMayShareTheirMemoryUntilOneDiffers() throws Exception {
        Pair pair = connect();
        assertTrue(pair.b().queuePair().placesWhenPolled());
        ByteBuffer shared = ByteBuffer.allocate(8);
        ByteBuffer own = ByteBuffer.allocate(8);
        for (int message = 0; message < 6; message++) {
            // The fourth differs; what was posted before and what is posted afterwards is as it was asked for.
            ByteBuffer target = message == 3 ? own : shared;
            assertTrue(pair.b().queuePair().postReceive(message == 3 ? 6 : 5, target, message == 3 ? 2 : 1, 4));
        }
        for (byte message = 0; message < 6; message++) {
            post(pair.a(), new WorkRequest().send(ByteBuffer.wrap(new byte[] {message, 7}), 0, 2));
        }
        assertEquals(ByteBuffer.allocate(8), shared);
        for (byte message = 0; message < 6; message++) {
            WorkCompletion completion = poll(pair.b());
            assertEquals(message == 3 ? 6 : 5, completion.wrId);
            assertEquals(2, completion.byteLength);
            assertEquals(message, message == 3 ? own.get(2) : shared.get(1));
        }
    }

    @Test
    void segmentsAreUsedAgainRatherThanPiledUp() throws Exception {
        for (int i = 0; i < 100; i++) {
            Pair pair = connect();
            pair.a().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            pair.b().queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            pair.b().release();
            pair.a().release();
            assertTrue(memory.names("s").size() <= 2, memory.names("s").toString());
        }
    }

    @Test
    void aFailedConnectLeavesNoSegment() throws Exception {
        Path name = onlyListener();
        listener().close();
        try (ServerSocketChannel crashed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            crashed.bind(UnixDomainSocketAddress.of(name));
        }
        assertThrows(ConnectFailure.class, () -> device().connect(client(1), address(), PARAMETERS));
        assertEquals(List.of(), memory.names("s"));
    }

    @Test
    void aFullMemoryFileSystemIsToldAndLeftClean() throws Exception {
        Path mount = Files.createDirectory(memory.root().resolve("small"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=64k", "none", mount.toString()) == 0, "cannot mount a tmpfs");
        try {
            SoftDevice small = new SoftDevice(mount);
            EndpointParameters large = new EndpointParameters(64 << 10, DEPTH, 1, 1);
            try (DeviceListener there = small.listen(address(), false, 5, large)) {
                ConnectFailure full =
                        assertThrows(ConnectFailure.class, () -> small.connect(client(1), address(), large));
                assertEquals(ConnectFailure.Kind.NO_MEMORY, full.kind());
                Path directory = mount.resolve(memory.directory().getFileName());
                try (var files = Files.list(directory)) {
                    assertEquals(
                            0,
                            files.filter(file -> file.getFileName().toString().startsWith("s"))
                                    .count());
                }
                ended(small.connect(client(2), address(), PARAMETERS));
                assertNotNull(accept(there));
            }
            small.close();
        } finally {
            run("umount", "-l", mount.toString());
        }
    }

    @Test
    void whatIsMissingIsToldInAnyLanguage() {
        String full = "Auf dem Gerät ist kein Speicherplatz mehr verfügbar";
        assertEquals(ConnectFailure.Kind.NO_MEMORY, SoftDevice.whatIsMissing(new IOException(full)));
        assertEquals(
                ConnectFailure.Kind.NO_MEMORY,
                SoftDevice.whatIsMissing(new FileSystemException("s", null, "No space left on device")));
        assertEquals(
                ConnectFailure.Kind.NO_DESCRIPTORS,
                SoftDevice.whatIsMissing(new FileSystemException("s", null, "Zu viele offene Dateien")));
        assertEquals(
                ConnectFailure.Kind.NO_DESCRIPTORS,
                SoftDevice.whatIsMissing(new IOException("Map failed", new OutOfMemoryError())));
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private Path onlyListener() throws IOException {
        List<String> names = memory.names("l");
        assertEquals(1, names.size());
        return memory.directory().resolve(names.get(0));
    }
}
