package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.LeavesNothing;
import org.exsockets.compat.harness.Over;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerListener;
import org.exsockets.compat.harness.PeerSocket;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Proves, from the statistics that processes print at their exit, which connections went over EXS and why the others
 * did not. All connections are between peer processes, so each count is exact.
 */
@ExtendWith(LeavesNothing.class)
@Tag("placed")
@Tag("processes")
@Over({Transport.SOFT, Transport.DISNI})
@TimeLimit
class TransportProofContract {
    private static final List<String> PLAIN = List.of("-Xmx256m");

    private final Deque<PeerJvm> peers = new ArrayDeque<>();

    @AfterEach
    void closePeers() throws Exception {
        for (PeerJvm peer : peers) {
            peer.close();
        }
    }

    @Test
    void connectionsOfBothFacesBetweenTwoProcessesAreOverTheDevice() throws Exception {
        PeerJvm server = start(Transport.peerArguments());
        PeerJvm client = start(Transport.peerArguments());
        for (Face face : Face.values()) {
            for (int i = 0; i < 3; i++) {
                exchange(server, face, client, face, 10_000);
            }
        }
        assertCounts(server, 6, 0);
        assertCounts(client, 6, 0);
        assertEquals(60_000, Transport.bytes(client.errors(), "sent"));
        assertEquals(60_000, Transport.bytes(client.errors(), "received"));
    }

    @Test
    void socketsAndChannelsMeetOverTheDevice() throws Exception {
        PeerJvm server = start(Transport.peerArguments());
        PeerJvm client = start(Transport.peerArguments());
        exchange(server, Face.NET, client, Face.NIO, 1000);
        exchange(server, Face.NIO, client, Face.NET, 1000);
        assertCounts(server, 2, 0);
        assertCounts(client, 2, 0);
    }

    @Test
    void connectionsToAProcessWithoutTheAgentAreTcp() throws Exception {
        PeerJvm server = start(PLAIN);
        PeerJvm client = start(Transport.peerArguments());
        exchange(server, Face.NIO, client, Face.NIO, 1000);
        exchange(server, Face.NET, client, Face.NET, 1000);
        assertCounts(client, 0, 2);
        assertEquals(
                2, Transport.fallbacks(client.errors(), Transport.underTest().nobodyListens()), client.errors());
    }

    @Test
    void connectionsFromAProcessWithoutTheAgentAreTcp() throws Exception {
        PeerJvm server = start(Transport.peerArguments());
        PeerJvm client = start(PLAIN);
        exchange(server, Face.NIO, client, Face.NIO, 1000);
        exchange(server, Face.NET, client, Face.NET, 1000);
        assertCounts(server, 0, 2);
        assertEquals(2, Transport.fallbacks(server.errors(), "peer-plain"), server.errors());
    }

    @Test
    void oneListenerServesProcessesWithAndWithoutTheAgent() throws Exception {
        PeerJvm server = start(Transport.peerArguments());
        PeerJvm exs = start(Transport.peerArguments());
        PeerJvm plain = start(PLAIN);
        for (Face face : Face.values()) {
            PeerListener listener = server.listen(face);
            for (int i = 0; i < 4; i++) {
                exchange(listener, i % 2 == 0 ? exs : plain, face, 1000);
            }
        }
        assertCounts(server, 4, 4);
        assertCounts(exs, 4, 0);
    }

    @Test
    void switchedOffAgentUsesTcpInBothDirections() throws Exception {
        PeerJvm off = start(with("-Dexs.enabled=false"));
        PeerJvm on = start(Transport.peerArguments());
        for (Face face : Face.values()) {
            exchange(off, face, on, face, 1000);
            exchange(on, face, off, face, 1000);
        }
        assertCounts(on, 0, 4);
        off.close();
        assertTrue(!off.errors().contains("\"connections\":")
                || Transport.connections(off.errors(), Transport.underTest().counter()) == 0);
    }

    @Test
    void rulesSendConnectionsOverTcp(@TempDir Path directory) throws Exception {
        Path rules = Files.writeString(directory.resolve("rules"), "connect " + TestHost.NAME + " * tcp\n");
        PeerJvm server = start(Transport.peerArguments());
        PeerJvm client = start(with("-Dexs.rules=" + rules));
        exchange(server, Face.NIO, client, Face.NIO, 1000);
        exchange(server, Face.NET, client, Face.NET, 1000);
        assertCounts(server, 0, 2);
        assertCounts(client, 0, 2);
        assertEquals(2, Transport.fallbacks(client.errors(), "rule"), client.errors());
    }

    @Test
    @Over(Transport.SOFT)
    void whereAProcessMayShareNoMoreItsConnectionsAreTcp() throws Exception {
        PeerJvm poor = start(with("-Dexs.memory=150k"));
        PeerJvm rich = start(Transport.peerArguments());
        exchangeAtOnce(rich.listen(Face.NIO), poor, 4);
        rich.close();
        assertCounts(poor, 2, 2);
        assertEquals(2, Transport.fallbacks(poor.errors(), "memory-limit"), poor.errors());
        assertTrue(poor.errors().contains("exs.memory=153600"), poor.errors());
    }

    /** Has connections exchange bytes while all of them are open. */
    private static void exchangeAtOnce(PeerListener listener, PeerJvm client, int connections) throws Exception {
        List<PeerSocket> open = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            PeerSocket accepted = listener.accept();
            open.add(client.connect(Face.NET, TestHost.NAME, listener.port()).awaitOpen());
            open.add(accepted.awaitOpen());
        }
        for (int i = 0; i < open.size(); i += 2) {
            open.get(i).write(1000);
            open.get(i + 1).read(1000);
            open.get(i).close();
            assertEquals(1000, open.get(i + 1).readToEnd());
            open.get(i + 1).close();
        }
    }

    private static List<String> with(String argument) {
        List<String> arguments = new ArrayList<>(Transport.peerArguments());
        arguments.add(argument);
        return arguments;
    }

    @Test
    void aStreamWhoseReaderIsBehindGetsALongerBuffer() throws Exception {
        int pieces = 100;
        int pieceBytes = 100_000;
        int behind = 10;
        PeerJvm reading = start(Transport.peerArguments());
        PeerJvm writing = start(Transport.peerArguments());
        PeerListener listener = reading.listen(Face.NIO);
        PeerSocket accepted = listener.accept();
        PeerSocket connected =
                writing.connect(Face.NIO, TestHost.NAME, listener.port()).awaitOpen();
        CompletableFuture<String> written = connected.startWrite(pieces * pieceBytes);
        accepted.awaitOpen();
        for (int i = 0; i < pieces; i++) {
            if (i < behind) {
                Thread.sleep(30);
            }
            accepted.read(pieceBytes);
        }
        written.get();
        connected.close();
        assertEquals(pieces * pieceBytes, accepted.readToEnd());
        accepted.close();
        assertCounts(reading, 1, 0);
        assertCounts(writing, 1, 0);
        assertTrue(Transport.buffersGrown(reading.errors()) >= 1, reading.errors());
        assertEquals(0, Transport.buffersGrown(writing.errors()), writing.errors());
    }

    @Test
    void anExchangeOfMessagesKeepsItsBuffer() throws Exception {
        int messages = 200;
        int messageBytes = 10_000;
        PeerJvm server = start(Transport.peerArguments());
        PeerJvm client = start(Transport.peerArguments());
        PeerListener listener = server.listen(Face.NIO);
        PeerSocket accepted = listener.accept();
        PeerSocket connected =
                client.connect(Face.NIO, TestHost.NAME, listener.port()).awaitOpen();
        accepted.awaitOpen();
        for (int i = 0; i < messages; i++) {
            connected.write(messageBytes);
            accepted.read(messageBytes);
            accepted.write(messageBytes);
            connected.read(messageBytes);
        }
        connected.close();
        assertEquals(messages * messageBytes, accepted.readToEnd());
        accepted.close();
        assertCounts(server, 1, 0);
        assertCounts(client, 1, 0);
        assertEquals(0, Transport.buffersGrown(server.errors()), server.errors());
        assertEquals(0, Transport.buffersGrown(client.errors()), client.errors());
    }

    private PeerJvm start(List<String> arguments) throws Exception {
        PeerJvm peer = PeerJvm.start(arguments);
        peers.push(peer);
        return peer;
    }

    private static void exchange(PeerJvm server, Face serverFace, PeerJvm client, Face clientFace, int lengthBytes)
            throws Exception {
        exchange(server.listen(serverFace), client, clientFace, lengthBytes);
    }

    /** Connects, sends that many bytes in both directions, and closes in order. */
    private static void exchange(PeerListener listener, PeerJvm client, Face clientFace, int lengthBytes)
            throws Exception {
        PeerSocket accepted = listener.accept();
        PeerSocket connected =
                client.connect(clientFace, TestHost.NAME, listener.port()).awaitOpen();
        connected.write(lengthBytes);
        accepted.awaitOpen().read(lengthBytes);
        accepted.write(lengthBytes);
        connected.read(lengthBytes);
        connected.close();
        assertEquals(lengthBytes, accepted.readToEnd());
        accepted.close();
    }

    private void assertCounts(PeerJvm peer, int exs, int tcp) throws Exception {
        peer.close();
        assertEquals(
                exs, Transport.connections(peer.errors(), Transport.underTest().counter()), peer.errors());
        assertEquals(tcp, Transport.connections(peer.errors(), "tcp"), peer.errors());
    }
}
