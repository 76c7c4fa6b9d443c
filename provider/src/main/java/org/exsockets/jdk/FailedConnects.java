package org.exsockets.jdk;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;

/** What a JDK says of a connect that had to be waited for. Any thread. */
public final class FailedConnects {
    /** JDK 21 tells the call, too, of channels and their adaptors; of asynchronous channels it does not, and others never do. */
    private static final String CALL = Runtime.version().feature() == 21 ? " (connect failed)" : "";

    private FailedConnects() {}

    /** {@return what a channel says of the failure for this reason} */
    public static String message(String reason) {
        return reason + CALL;
    }

    /** {@return the failure of a channel's connect as an asynchronous channel tells it} */
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
