package org.exsockets.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.verbs.ConnectFailure;
import org.exsockets.verbs.DisconnectReason;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that can map no further segment: who has connected waits, as in TCP's backlog, and later ones need not. */
class FullListenerTest {
    private static final EndpointParameters PARAMETERS = new EndpointParameters(4096, 4096, 8, 1, 1);

    private final List<Endpoint> endpoints = new ArrayList<>();
    private MemoryFileSystem memory;
    private ServerSocket port;
    private SoftDevice clients;
    private SoftListener listener;
    private boolean full;

    @BeforeEach
    void listen() throws IOException {
        memory = MemoryFileSystem.create();
        port = new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1"));
        clients = new SoftDevice(memory.root());
        SoftDirectory directory = SoftDirectory.open(memory.root());
        SegmentCache cache = new SegmentCache(directory, new ProgramArenas(directory), new ProgramSigns(directory)) {
            @Override
            Segment map(String name, int slots, int regionBytes, int reserveBytes) throws IOException {
                if (full) {
                    IOException failure = new IOException("Map failed", new OutOfMemoryError("Map failed"));
                    throw NoResourcesException.of(failure, directory.segment(name));
                }
                return super.map(name, slots, regionBytes, reserveBytes);
            }
        };
        listener = new SoftListener(
                directory, address(), false, 50, PARAMETERS, new LocalAddresses(), cache, closed -> {});
    }

    @AfterEach
    void close() throws IOException {
        for (Endpoint endpoint : endpoints) {
            endpoint.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            endpoint.release();
        }
        listener.close();
        clients.close();
        port.close();
        memory.close();
    }

    private InetSocketAddress address() {
        return (InetSocketAddress) port.getLocalSocketAddress();
    }

    private void connect() throws ConnectFailure {
        endpoints.add(clients.connect(new InetSocketAddress(port.getInetAddress(), 0), address(), PARAMETERS));
    }

    private void accept() throws IOException {
        Endpoint accepted = listener.tryAccept();
        assertNotNull(accepted);
        endpoints.add(accepted);
    }

    @Test
    void whoComesWhileOneWaitsForRoomIsToldBefore() throws Exception {
        full = true;
        connect();
        for (int i = 0; i < 2; i++) {
            IOException none = assertThrows(IOException.class, listener::tryAccept);
            assertEquals("Cannot allocate memory", none.getMessage(), "as over TCP");
            ConnectFailure told = assertThrows(ConnectFailure.class, this::connect);
            assertEquals(ConnectFailure.Kind.PEER_EXHAUSTED, told.kind());
        }
        full = false;
        accept();
        connect();
        accept();
    }

    @Test
    void theLastOneToLeaveMakesRoomAlso() throws Exception {
        full = true;
        connect();
        assertThrows(IOException.class, listener::tryAccept);
        memory.deleteSegments();
        full = false;
        assertEquals(null, listener.tryAccept(), "its segment is gone");
        connect();
        accept();
    }
}
