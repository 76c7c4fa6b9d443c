package org.exsockets.jdk;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** The JDK's message for a connect that failed after a wait. Any thread. */
public final class FailedConnects {
    /** What some JDKs (21, and from 27 on) add for channels and their adaptors, not for asynchronous channels. */
    private static final String CALL = " (connect failed)";

    private static final int LOOPBACK_ANSWERS_MS = 1000;

    /** What this JDK adds; null: not found out. */
    private static volatile @Nullable String added;

    private FailedConnects() {}

    /** {@return a channel's message for this reason of a failure} */
    public static String message(String reason) {
        String known = added;
        return reason + (known != null ? known : ask());
    }

    /** Has a channel of the JDK refused. */
    private static String ask() {
        try (SocketChannel deaf = JdkChannels.openSocketChannel(null);
                SocketChannel refused = JdkChannels.openSocketChannel(null)) {
            deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            refused.socket().connect(deaf.getLocalAddress(), LOOPBACK_ANSWERS_MS);
        } catch (ConnectException e) {
            String found = String.valueOf(e.getMessage()).endsWith(CALL) ? CALL : "";
            added = found;
            return found;
        } catch (IOException noDescriptors) {
            return "";
        }
        return "";
    }

    /** {@return the failure of a channel's connect as an asynchronous channel reports it} */
    public static SocketException asynchronous(SocketException told) {
        String message = told.getMessage();
        if (message == null || !message.endsWith(CALL)) {
            return told;
        }
        String reason = message.substring(0, message.length() - CALL.length());
        if (told instanceof ConnectException) {
            return new ConnectException(reason);
        }
        return told instanceof NoRouteToHostException
                ? new NoRouteToHostException(reason)
                : new SocketException(reason);
    }
}
