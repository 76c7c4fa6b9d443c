package org.exsockets.rendezvous;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.exsockets.verbs.Device;
import org.exsockets.verbs.DeviceListener;
import org.exsockets.verbs.Endpoint;
import org.exsockets.verbs.EndpointParameters;

/** Both ends of a connection of this process with itself, over shared memory. */
public record OwnPair(Endpoint connected, Endpoint accepted) {
    /** What the program may share beside it: no connection of the program finds its memory taken. */
    static final long SPARE_BYTES = 64 << 20;

    /** A version of no protocol: nobody else looks for a listener of it. */
    private static final int VERSION = 2 * EndpointParameters.VERSIONS_PER_PROTOCOL;

    private static final EndpointParameters PARAMETERS =
            new EndpointParameters(16 << 10, EndpointParameters.USUAL_RECEIVE_DEPTH, VERSION, VERSION);

    /** Only a name, so other processes may have it, too, for a moment. */
    private static final int FIRST_PORT = 1 << 15;

    private static final int TRIES = 8;

    static OwnPair over(Device soft) throws IOException {
        int port = FIRST_PORT + (int) (System.nanoTime() & (FIRST_PORT - 1));
        for (int tried = 1; ; tried++) {
            InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port ^ tried);
            try (DeviceListener listener = soft.listen(server, false, 1, PARAMETERS)) {
                return connect(soft, server, listener);
            } catch (IOException e) {
                if (tried == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static OwnPair connect(Device soft, InetSocketAddress server, DeviceListener listener) throws IOException {
        Endpoint connected = soft.connect(server, server, PARAMETERS);
        Endpoint accepted = listener.tryAccept();
        if (accepted == null) {
            connected.discard();
            throw new IOException("no connection of this process with itself: " + server);
        }
        return new OwnPair(connected, accepted);
    }
}
