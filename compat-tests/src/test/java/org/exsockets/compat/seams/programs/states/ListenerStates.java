package org.exsockets.compat.seams.programs.states;

import static org.exsockets.compat.seams.programs.states.Situation.unresolved;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.BiConsumer;

/** {@link ServerSocketChannel}, its adaptor, and {@link ServerSocket}, each with a client that may have connected. */
final class ListenerStates {
    private static final int SELECT_MS = 20;
    private static final int TIMEOUT_MS = 20;
    private static final int BACKLOG = 5;

    private ListenerStates() {}

    /** A listener and its client. */
    private static final class Listener<T extends Closeable> implements Closeable {
        final T listener;
        Socket client;

        Listener(T listener) {
            this.listener = listener;
        }

        @Override
        public void close() throws IOException {
            if (client != null) {
                client.close();
            }
            listener.close();
        }
    }

    /** Brings a listener into a state. */
    @FunctionalInterface
    private interface Preparation<T extends Closeable> {
        void run(Listener<T> listener) throws Exception;
    }

    private static SocketAddress free() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static Socket client(SocketAddress address) throws IOException {
        Socket client = new Socket();
        client.connect(address);
        return client;
    }

    private static void reset(Socket client) throws IOException, InterruptedException {
        client.setSoLinger(true, 0);
        client.close();
        Situation.settle();
    }

    // Channels.

    static Table<?> ofChannels() {
        Table<Listener<ServerSocketChannel>> table =
                new Table<>("ServerSocketChannel", listener -> listener.listener.isOpen());
        for (boolean blocking : new boolean[] {true, false}) {
            addChannelStates(table, blocking);
        }
        addChannelCalls(table);
        addCalls((word, call) -> table.call("adaptor's " + word, listener -> call.on(listener.listener.socket())));
        return table;
    }

    private static void addChannelStates(Table<Listener<ServerSocketChannel>> table, boolean blocking) {
        addChannel(table, blocking, "new", listener -> {});
        addChannel(table, blocking, "closed, new", listener -> listener.listener.close());
        addChannel(table, blocking, "bound", listener -> listener.listener.bind(free()));
        addChannel(table, blocking, "bound to all addresses", listener -> listener.listener.bind(null));
        addChannel(table, blocking, "with a client", ListenerStates::connect);
        addChannel(table, blocking, "with a client that has closed", listener -> {
            connect(listener);
            listener.client.close();
            Situation.settle();
        });
        addChannel(table, blocking, "with a client that has reset", listener -> {
            connect(listener);
            reset(listener.client);
        });
        addChannel(
                table,
                blocking,
                "closed",
                listener -> listener.listener.bind(free()).close());
    }

    private static void addChannel(
            Table<Listener<ServerSocketChannel>> table,
            boolean blocking,
            String word,
            Preparation<ServerSocketChannel> preparation) {
        table.state((blocking ? "blocking " : "non-blocking ") + word, situation -> {
            Listener<ServerSocketChannel> listener = new Listener<>(ServerSocketChannel.open());
            listener.listener.configureBlocking(blocking);
            preparation.run(listener);
            return listener;
        });
    }

    private static void connect(Listener<ServerSocketChannel> listener) throws IOException {
        listener.listener.bind(free());
        listener.client = client(listener.listener.getLocalAddress());
    }

    private static void addChannelCalls(Table<Listener<ServerSocketChannel>> table) {
        table.call("accept", listener -> accepted(listener.listener, channel -> channel))
                .call(
                        "accept and read",
                        listener -> accepted(listener.listener, channel -> {
                            channel.configureBlocking(false);
                            return channel.read(Situation.bytes(1));
                        }))
                .call(
                        "accept and write",
                        listener -> accepted(listener.listener, channel -> {
                            Situation.settle();
                            return channel.write(Situation.bytes(1));
                        }))
                .call(
                        "accept and look",
                        listener -> accepted(
                                listener.listener,
                                channel -> channel.getOption(StandardSocketOptions.SO_LINGER) + " "
                                        + channel.getOption(StandardSocketOptions.TCP_NODELAY) + " "
                                        + channel.isBlocking()
                                        + " " + SocketStates.flags(channel.socket()) + channel.getRemoteAddress()))
                .call("bind null", listener -> listener.listener.bind(null) == listener.listener)
                .call("getLocalAddress", listener -> listener.listener.getLocalAddress())
                .call("isBlocking", listener -> listener.listener.isBlocking())
                .call("supportedOptions", listener -> SocketStates.names(listener.listener.supportedOptions()))
                .call("getOption", listener -> listener.listener.getOption(StandardSocketOptions.SO_REUSEADDR))
                .call("getOption bad", listener -> listener.listener.getOption(StandardSocketOptions.TCP_NODELAY))
                .call(
                        "setOption",
                        listener -> listener.listener.setOption(StandardSocketOptions.SO_REUSEADDR, false)
                                == listener.listener)
                .call("register", listener -> registered(listener.listener, SelectionKey.OP_ACCEPT))
                .call("register for nothing", listener -> registered(listener.listener, 0))
                .call("register bad", listener -> registered(listener.listener, SelectionKey.OP_READ))
                .call("configureBlocking true", listener -> listener.listener.configureBlocking(true) != null)
                .call("configureBlocking false", listener -> listener.listener.configureBlocking(false) != null);
    }

    private static Object accepted(ServerSocketChannel listener, Table.Call<SocketChannel> call) throws Exception {
        try (SocketChannel accepted = listener.accept()) {
            return accepted == null ? null : String.valueOf(call.on(accepted));
        }
    }

    private static String registered(ServerSocketChannel listener, int ops) throws IOException {
        try (Selector selector = Selector.open()) {
            SelectionKey key = listener.register(selector, ops);
            return selector.select(Situation.stretched(SELECT_MS)) + " ready for " + key.readyOps();
        }
    }

    // Sockets.

    static Table<?> ofSockets() {
        Table<Listener<ServerSocket>> table = new Table<>("ServerSocket", listener -> !listener.listener.isClosed());
        addSocket(table, "new", listener -> {});
        addSocket(table, "closed, new", listener -> listener.listener.close());
        addSocket(table, "bound", listener -> listener.listener.bind(free(), BACKLOG));
        addSocket(table, "bound to all addresses", listener -> listener.listener.bind(null));
        addSocket(table, "with a time-out", listener -> {
            listener.listener.bind(free(), BACKLOG);
            listener.listener.setSoTimeout(TIMEOUT_MS);
        });
        addSocket(table, "with a client", listener -> {
            listener.listener.bind(free(), BACKLOG);
            listener.client = client(listener.listener.getLocalSocketAddress());
        });
        addSocket(table, "with a client that has reset", listener -> {
            listener.listener.bind(free(), BACKLOG);
            listener.client = client(listener.listener.getLocalSocketAddress());
            reset(listener.client);
        });
        addSocket(table, "closed", listener -> {
            listener.listener.bind(free());
            listener.listener.close();
        });
        addCalls((word, call) -> table.call(word, listener -> call.on(listener.listener)));
        table.call("accept and look", listener -> {
            try (Socket accepted = listener.listener.accept()) {
                accepted.setSoTimeout(TIMEOUT_MS);
                return SocketStates.flags(accepted) + accepted.getSoLinger() + " " + accepted.getTcpNoDelay() + " "
                        + accepted.getKeepAlive() + " " + accepted.getTrafficClass() + " " + accepted.getChannel();
            }
        });
        table.call("toString", listener -> listener.listener.toString());
        return table;
    }

    private static void addSocket(
            Table<Listener<ServerSocket>> table, String word, Preparation<ServerSocket> preparation) {
        table.state(word, situation -> {
            Listener<ServerSocket> listener = new Listener<>(new ServerSocket());
            preparation.run(listener);
            return listener;
        });
    }

    /** Of {@link ServerSocket}; of adaptors, too. */
    private static void addCalls(BiConsumer<String, Table.Call<ServerSocket>> to) {
        to.accept("accept", ServerSocket::accept);
        to.accept("timed accept", listener -> {
            listener.setSoTimeout(TIMEOUT_MS);
            return listener.accept();
        });
        to.accept("bind", listener -> {
            listener.bind(null);
            return "bound";
        });
        to.accept("bind, with a backlog", listener -> {
            listener.bind(free(), BACKLOG);
            return "bound";
        });
        to.accept("bind unresolved", listener -> {
            listener.bind(unresolved());
            return "bound";
        });
        to.accept("flags", listener -> (listener.isBound() ? "bound " : "") + (listener.isClosed() ? "closed" : ""));
        to.accept(
                "addresses",
                listener -> listener.getInetAddress() + " " + Integer.signum(listener.getLocalPort()) + " "
                        + listener.getLocalSocketAddress());
        to.accept("getSoTimeout", ServerSocket::getSoTimeout);
        to.accept("setSoTimeout bad", listener -> {
            listener.setSoTimeout(-1);
            return "set";
        });
        to.accept("getReuseAddress", ServerSocket::getReuseAddress);
        to.accept("setReuseAddress", listener -> {
            listener.setReuseAddress(false);
            return listener.getReuseAddress();
        });
        to.accept("setReceiveBufferSize", listener -> {
            listener.setReceiveBufferSize(30_000);
            return listener.getReceiveBufferSize();
        });
        to.accept("setReceiveBufferSize bad", listener -> {
            listener.setReceiveBufferSize(0);
            return "set";
        });
        to.accept("supportedOptions", listener -> SocketStates.names(listener.supportedOptions()));
        to.accept("getOption", listener -> listener.getOption(StandardSocketOptions.SO_REUSEADDR));
        to.accept("getOption bad", listener -> listener.getOption(StandardSocketOptions.TCP_NODELAY));
        to.accept("getOption null", listener -> listener.getOption(null));
        to.accept("close", listener -> {
            listener.close();
            return listener.isClosed();
        });
    }
}
