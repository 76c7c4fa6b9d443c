package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/** A server socket, or the adaptor of a listening channel. */
final class ServerSocketEnd implements End {
    private static final int SHORT_MS = 200;

    private final ServerSocket listener;

    ServerSocketEnd(ServerSocket listener) {
        this.listener = listener;
    }

    @Override
    public String call(String verb, String[] arguments) throws Exception {
        switch (verb) {
            case "bind":
                listener.bind(Addresses.of(arguments[0]));
                return String.valueOf(listener.getLocalSocketAddress());
            case "accept":
                return accept(arguments[0]);
            case "close":
                listener.close();
                return "ok";
            case "timeout":
                listener.setSoTimeout(Integer.parseInt(arguments[0]));
                return Integer.toString(listener.getSoTimeout());
            case "set":
                return Options.set(listener.supportedOptions(), listener::setOption, arguments);
            case "get":
                return Options.get(listener.supportedOptions(), listener::getOption, arguments[0]);
            case "options":
                return Options.names(listener.supportedOptions());
            case "state":
                return (listener.isBound() ? "bound" : "unbound") + (listener.isClosed() ? " closed " : " ")
                        + listener.getLocalSocketAddress() + " " + listener;
            default:
                return unknown();
        }
    }

    private String accept(String name) throws Exception {
        int timeoutMs = listener.isClosed() ? 0 : listener.getSoTimeout();
        if (timeoutMs > 0 && timeoutMs <= SHORT_MS) {
            if (listener.getChannel() == null) {
                Calls.endsByItself(); // Here the wait for others is a part of the time.
            } else {
                Calls.endsByItselfInTurn();
            }
        }
        Socket accepted = listener.accept();
        return accepted.getChannel() == null
                ? SocketEnd.accepted(name, accepted)
                : ChannelEnd.accepted(name, accepted.getChannel());
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
