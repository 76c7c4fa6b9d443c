package org.exsockets.compat.fuzz;

import java.nio.channels.ServerSocketChannel;

/** A listening channel. Verbs that begin with {@code socket:} go to its adaptor. */
final class ListenerEnd extends NetworkEnd<ServerSocketChannel> {
    private static final String ADAPTOR = "socket:";

    ListenerEnd(ServerSocketChannel channel) {
        super(channel);
    }

    @Override
    String own(String verb, String[] arguments) throws Exception {
        if (verb.startsWith(ADAPTOR)) {
            return new ServerSocketEnd(channel.socket()).call(verb.substring(ADAPTOR.length()), arguments);
        }
        String keys = Keys.call(channel, verb, arguments);
        if (keys != null) {
            return keys;
        }
        return verb.equals("accept") ? ChannelEnd.accepted(arguments[0], channel.accept()) : unknown();
    }

    @Override
    String state() {
        return (channel.isBlocking() ? " blocking" : "") + (channel.isRegistered() ? " registered" : "");
    }
}
