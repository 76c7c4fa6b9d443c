package org.exsockets.jdk;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;

/** The JDK's message for a connect that failed after a wait. Any thread. */
public final class FailedConnects {
    /** Only JDK 21 names the call, too: for channels and their adaptors, not for asynchronous channels. */
    private static final String CALL = Runtime.version().feature() == 21 ? " (connect failed)" : "";

    private FailedConnects() {}

    /** {@return a channel's message for this reason of a failure} */
    public static String message(String reason) {
        return reason + CALL;
    }

    /** {@return the failure of a channel's connect as an asynchronous channel reports it} */
    public static SocketException asynchronous(SocketException told) {
        String message = told.getMessage();
        if (CALL.isEmpty() || message == null || !message.endsWith(CALL)) {
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
