package org.exsockets.socket;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import org.exsockets.rendezvous.InheritedOptions;

/**
 * SO_RCVBUF and SO_SNDBUF as the program has set them on a socket, with a connection or before there is one.
 *
 * <p>Thread-safe. A thread that sets an option first stores it, then looks for the connection. A thread that makes the
 * connection first publishes it, then looks here. So one of them passes the option on.
 */
public final class ChosenBuffers {
    /** In bytes; 0: not set. */
    private volatile int receiveBytes;

    private volatile int sendBytes;

    /** The program has set any option. {@return whether it is one of the two} */
    public boolean choose(SocketOption<?> name, Object value) {
        if (name.equals(StandardSocketOptions.SO_RCVBUF)) {
            receiveBytes = (Integer) value;
            return true;
        }
        if (name.equals(StandardSocketOptions.SO_SNDBUF)) {
            sendBytes = (Integer) value;
            return true;
        }
        return false;
    }

    /** Before the connection is made: takes the listener's SO_RCVBUF. */
    public void inherit(InheritedOptions options) {
        receiveBytes = options.receiveBufferBytes();
    }

    /** @param connection null: there is none yet */
    public void applyTo(ExsConnection connection) {
        if (connection == null) {
            return;
        }
        if (receiveBytes > 0) {
            connection.limitReceiveBuffer(receiveBytes);
        }
        if (sendBytes > 0) {
            connection.limitSendBuffer(sendBytes);
        }
    }
}
