package org.exsockets.verbs.soft.meet;

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
import org.exsockets.verbs.soft.SoftDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A listener whose process is another than that of its clients, as far as they can tell. Connections are ended after the test. */
abstract class OwnListenerFixture {
    final List<Endpoint> endpoints = new ArrayList<>();
    SoftListener listener;

    private final EndpointParameters parameters;
    private ServerSocket port;

    OwnListenerFixture(EndpointParameters parameters) {
        this.parameters = parameters;
    }

    /** Makes the devices, too. */
    abstract SoftListener listen() throws IOException;

    @BeforeEach
    final void openListener() throws IOException {
        port = new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1"));
        listener = listen();
    }

    @AfterEach
    final void closeListener() throws IOException {
        endAll();
        listener.close();
        port.close();
    }

    final InetSocketAddress address() {
        return (InetSocketAddress) port.getLocalSocketAddress();
    }

    final Endpoint connect(SoftDevice from) throws ConnectFailure {
        Endpoint connected = from.connect(new InetSocketAddress(port.getInetAddress(), 0), address(), parameters);
        endpoints.add(connected);
        return connected;
    }

    final Endpoint accept() throws IOException {
        Endpoint accepted = listener.tryAccept();
        assertNotNull(accepted);
        endpoints.add(accepted);
        return accepted;
    }

    final ConnectFailure.Kind failure(SoftDevice from) {
        return assertThrows(ConnectFailure.class, () -> connect(from)).kind();
    }

    final void endAll() {
        for (Endpoint endpoint : endpoints) {
            endpoint.queuePair().disconnect(DisconnectReason.ORDERLY, 0);
            endpoint.release();
        }
        endpoints.clear();
    }
}
