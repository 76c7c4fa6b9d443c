package org.exsockets.compat.programs.tomcat;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/** Sends back each message of a WebSocket. */
@ServerEndpoint("/echo")
public final class Echo {
    static final int LARGEST_BYTES = 2_000_000;

    /** {@return the same text} */
    @OnMessage(maxMessageSize = LARGEST_BYTES)
    public String text(String message) {
        return message;
    }

    /** {@return the same bytes} */
    @OnMessage(maxMessageSize = LARGEST_BYTES)
    public byte[] binary(byte[] message) {
        return message;
    }
}
