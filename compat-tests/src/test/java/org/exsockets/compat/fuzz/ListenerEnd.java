package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;

/** A listening channel. Verbs that begin with {@code socket:} go to its adaptor. */
final class ListenerEnd implements End {
    private static final String ADAPTOR = "socket:";

    private final ServerSocketChannel channel;

    ListenerEnd(ServerSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public String call(String verb, String[] arguments) throws Exception {
        if (verb.startsWith(ADAPTOR)) {
            return new ServerSocketEnd(channel.socket()).call(verb.substring(ADAPTOR.length()), arguments);
        }
        String keys = Keys.call(channel, verb, arguments);
        if (keys != null) {
            return keys;
        }
        switch (verb) {
            case "bind":
                channel.bind(Addresses.of(arguments[0]));
                return String.valueOf(channel.getLocalAddress());
            case "accept":
                return ChannelEnd.accepted(arguments[0], channel.accept());
            case "close":
                channel.close();
                return "ok";
            case "set":
                return Options.set(channel.supportedOptions(), channel::setOption, arguments);
            case "get":
                return Options.get(channel.supportedOptions(), channel::getOption, arguments[0]);
            case "options":
                return Options.names(channel.supportedOptions());
            case "state":
                return state();
            default:
                return unknown();
        }
    }

    private String state() {
        String address;
        try {
            address = String.valueOf(channel.getLocalAddress());
        } catch (IOException e) {
            address = Calls.outcome(e);
        }
        return (channel.isOpen() ? "open" : "closed")
                + (channel.isBlocking() ? " blocking" : "")
                + (channel.isRegistered() ? " registered " : " ")
                + address + " " + channel;
    }

    @Override
    public boolean stands(Object other) {
        return other == channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
