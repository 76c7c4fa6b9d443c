package org.exsockets.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;

/** Both ends of a connection, in this process; nobody has posted to them yet. */
public record ConnectedEndpoints(Endpoint connected, Endpoint accepted) {
    /** The client's port that is told to the server: names nothing. */
    private static final int CLIENT_PORT = 2;

    /**
     * {@return a connection over a device of this machine, to a port that belongs to this process} Tests of other processes,
     * which share what listens by port, stay away from it: who owns the TCP port owns the listener's name.
     */
    public static ConnectedEndpoints onLoopback(Device device, EndpointParameters parameters) throws IOException {
        InetAddress host = InetAddress.getLoopbackAddress();
        try (ServerSocket port = new ServerSocket(0, 1, host)) {
            InetSocketAddress server = new InetSocketAddress(host, port.getLocalPort());
            return over(device, new InetSocketAddress(host, CLIENT_PORT), server, parameters);
        }
    }

    static ConnectedEndpoints over(
            Device device, InetSocketAddress client, InetSocketAddress server, EndpointParameters parameters)
            throws IOException {
        try (DeviceListener listener = device.listen(server, false, 1, parameters)) {
            Endpoint connected = device.connect(client, server, parameters);
            Endpoint accepted;
            do {
                accepted = listener.tryAccept();
            } while (accepted == null);
            return new ConnectedEndpoints(connected, accepted);
        }
    }
}
