package org.exsockets.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;

/** Both ends of a connection, in this process; nobody has posted to them yet. */
record ConnectedEndpoints(Endpoint connected, Endpoint accepted) {
    /** {@return a connection over a device of this process's own, from port {@code clientPort} to another one} */
    static ConnectedEndpoints onLoopback(Device device, int clientPort, EndpointParameters parameters)
            throws IOException {
        InetAddress host = InetAddress.getLoopbackAddress();
        return over(
                device,
                new InetSocketAddress(host, clientPort),
                new InetSocketAddress(host, clientPort - 1),
                parameters);
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
