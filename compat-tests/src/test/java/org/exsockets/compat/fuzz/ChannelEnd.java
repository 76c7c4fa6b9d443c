package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A socket channel. Verbs that begin with {@code socket:} go to its adaptor. */
class ChannelEnd extends NetworkEnd<SocketChannel> {
    private static final String ADAPTOR = "socket:";
    private static final int ROOM_MS = 3000;

    private final Content content;
    private final String name;

    ChannelEnd(String name, SocketChannel channel) {
        super(channel);
        this.name = name;
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
    String own(String verb, String[] arguments) throws Exception {
        if (verb.equals(ADAPTOR + "close") && whyNotClose() != null) {
            return whyNotClose();
        }
        if (verb.startsWith(ADAPTOR)) {
            return new SocketEnd(name, channel.socket(), content).call(verb.substring(ADAPTOR.length()), arguments);
        }
        String keys = Keys.call(channel, verb, arguments);
        String bulk = keys != null ? keys : new Bulk(this::read, this::write, content).call(verb, arguments);
        if (bulk != null) {
            return bulk;
        }
        switch (verb) {
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
        margins.fill(content);
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

    /** Whoever reads from one whose connect nobody has finished would be told when selectors select. */
    @Override
    String whyNotClose() {
        return channel.isRegistered() && channel.isConnectionPending() ? "a connection is pending" : null;
    }

    @Override
    String state() {
        return (channel.isConnected() ? " connected" : "")
                + (channel.isConnectionPending() ? " pending" : "")
                + (channel.isBlocking() ? " blocking" : "")
                + (channel.isRegistered() ? " registered" : "");
    }

    @Override
    Object[] address() throws IOException {
        return new Object[] {channel.getLocalAddress(), channel.getRemoteAddress()};
    }
}
