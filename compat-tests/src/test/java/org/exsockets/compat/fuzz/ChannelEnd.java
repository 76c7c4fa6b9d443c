package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A socket channel. Verbs that begin with {@code socket:} go to its adaptor. */
class ChannelEnd implements End {
    private static final String ADAPTOR = "socket:";
    private static final int ROOM_MS = 3000;

    private final SocketChannel channel;
    private final Content content;
    private final String name;

    ChannelEnd(String name, SocketChannel channel) {
        this.name = name;
        this.channel = channel;
        this.content = new Content(name);
    }

    /** Returns an end for a channel that was accepted. */
    static String accepted(String name, SocketChannel channel) throws Exception {
        if (channel == null) {
            return "none";
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel.getRemoteAddress() + " " + Ends.add(name, Fault.CHOSEN.channel(name, channel));
    }

    @Override
    public final String call(String verb, String[] arguments) throws Exception {
        if (verb.startsWith(ADAPTOR)) {
            return new SocketEnd(name, channel.socket(), content).call(verb.substring(ADAPTOR.length()), arguments);
        }
        String keys = Keys.call(channel, verb, arguments);
        String bulk = keys != null ? keys : new Bulk(this::read, this::write, content).call(verb, arguments);
        if (bulk != null) {
            return bulk;
        }
        switch (verb) {
            case "bind":
                channel.bind(Addresses.of(arguments[0]));
                return String.valueOf(channel.getLocalAddress());
            case "connect":
                return connect(arguments[0]);
            case "finish":
                return Boolean.toString(channel.finishConnect());
            case "read":
                return read(arguments);
            case "write":
                return write(arguments);
            case "room":
                return room(arguments[0].equals("now"));
            case "shutin":
                channel.shutdownInput();
                return "ok";
            case "shutout":
                channel.shutdownOutput();
                return "ok";
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

    private String connect(String address) throws IOException {
        SocketOption<Boolean> noDelay = StandardSocketOptions.TCP_NODELAY;
        if (channel.isOpen()) {
            channel.setOption(noDelay, true);
        }
        return Boolean.toString(channel.connect(Addresses.of(address)));
    }

    private String read(String[] arguments) throws IOException {
        Margins margins = Margins.of(arguments, 0);
        long n = margins.single() ? read(margins.first()) : channel.read(margins.buffers());
        return margins.read(n, content);
    }

    private String write(String[] arguments) throws IOException {
        Margins margins = Margins.of(arguments, 0);
        margins.fill(content, content.reserve(margins.size()));
        long n = margins.single() ? write(margins.first()) : channel.write(margins.buffers());
        return margins.written(n, content);
    }

    int read(ByteBuffer buffer) throws IOException {
        return channel.read(buffer);
    }

    int write(ByteBuffer buffer) throws IOException {
        return channel.write(buffer);
    }

    /** Tells whether a selector of its own finds the channel writable now, or within the time that room may take. */
    private String room(boolean now) throws IOException {
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_WRITE);
            return (now ? selector.selectNow() : selector.select(ROOM_MS)) > 0 ? "room" : "none";
        }
    }

    private String state() throws IOException {
        StringBuilder state = new StringBuilder();
        state.append(channel.isOpen() ? "open" : "closed");
        state.append(channel.isConnected() ? " connected" : "");
        state.append(channel.isConnectionPending() ? " pending" : "");
        state.append(channel.isBlocking() ? " blocking" : "");
        state.append(channel.isRegistered() ? " registered" : "");
        state.append(' ').append(channel);
        try {
            state.append(' ').append(channel.getLocalAddress()).append(' ').append(channel.getRemoteAddress());
        } catch (IOException e) {
            state.append(' ').append(Calls.outcome(e));
        }
        return state.toString();
    }

    @Override
    public final boolean stands(Object other) {
        return other == channel;
    }

    @Override
    public final void close() throws IOException {
        channel.close();
    }
}
