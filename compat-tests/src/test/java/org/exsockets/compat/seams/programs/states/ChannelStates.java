package org.exsockets.compat.seams.programs.states;

import static org.exsockets.compat.seams.programs.states.Situation.bytes;
import static org.exsockets.compat.seams.programs.states.Situation.nowhere;
import static org.exsockets.compat.seams.programs.states.Situation.settle;
import static org.exsockets.compat.seams.programs.states.Situation.unresolved;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;

/** {@link SocketChannel} and its adaptor, in both modes. */
final class ChannelStates {
    private static final int SELECT_MS = 20;

    private ChannelStates() {}

    static Table<SocketChannel> table() {
        Table<SocketChannel> table = new Table<>("SocketChannel", SocketChannel::isOpen);
        for (boolean blocking : new boolean[] {true, false}) {
            addStates(table, blocking);
        }
        addCalls(table);
        addAdaptorCalls(table);
        return table;
    }

    private static void add(
            Table<SocketChannel> table, boolean blocking, String word, Table.Preparation<SocketChannel> preparation) {
        table.state((blocking ? "blocking " : "non-blocking ") + word, situation -> {
            SocketChannel channel = situation.channel();
            preparation.run(situation, channel);
            channel.configureBlocking(blocking);
            return channel;
        });
    }

    private static void addUnconnected(
            Table<SocketChannel> table, boolean blocking, String word, Table.Preparation<SocketChannel> preparation) {
        table.state((blocking ? "blocking " : "non-blocking ") + word, situation -> {
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(blocking);
            preparation.run(situation, channel);
            return channel;
        });
    }

    private static void addStates(Table<SocketChannel> table, boolean blocking) {
        addUnconnected(table, blocking, "new", (situation, channel) -> {});
        addUnconnected(
                table,
                blocking,
                "bound",
                (situation, channel) -> channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        addUnconnected(table, blocking, "closed, new", (situation, channel) -> channel.close());
        addUnconnected(table, blocking, "refused", (situation, channel) -> {
            try {
                channel.connect(nowhere());
            } catch (IOException e) {
                // So it is refused.
            }
            settle();
        });
        addUnconnected(table, blocking, "pending", (situation, channel) -> {
            channel.configureBlocking(false);
            channel.connect(situation.address());
            settle();
            channel.configureBlocking(blocking);
        });
        add(table, blocking, "connected", (situation, channel) -> situation.peer());
        add(table, blocking, "not accepted", (situation, channel) -> {});
        add(table, blocking, "never accepted", (situation, channel) -> situation.listenerCloses());
        add(table, blocking, "input shut", (situation, channel) -> {
            situation.peer();
            channel.shutdownInput();
        });
        add(table, blocking, "input shut before bytes were read", (situation, channel) -> {
            situation.peerWrites(10);
            channel.shutdownInput();
        });
        add(table, blocking, "output shut", (situation, channel) -> {
            situation.peer();
            channel.shutdownOutput();
        });
        add(table, blocking, "both shut", (situation, channel) -> {
            situation.peer();
            channel.shutdownOutput();
            channel.shutdownInput();
        });
        add(table, blocking, "bytes", (situation, channel) -> situation.peerWrites(10));
        add(table, blocking, "bytes, peer's output shut", (situation, channel) -> {
            situation.peerWrites(10);
            situation.peerShutsOutput();
        });
        add(table, blocking, "peer's output shut", (situation, channel) -> situation.peerShutsOutput());
        add(table, blocking, "peer's input shut", (situation, channel) -> situation.peerShutsInput());
        add(table, blocking, "peer closed", (situation, channel) -> situation.peerCloses());
        add(table, blocking, "bytes, peer closed", (situation, channel) -> {
            situation.peerWrites(10);
            situation.peerCloses();
        });
        add(table, blocking, "written after the peer's close", (situation, channel) -> {
            situation.peerCloses();
            channel.write(bytes(1));
            settle();
        });
        add(table, blocking, "bytes, written after the peer's close", (situation, channel) -> {
            situation.peerWrites(10);
            situation.peerCloses();
            channel.write(bytes(1));
            settle();
        });
        add(table, blocking, "peer closed before it read", (situation, channel) -> {
            situation.peer();
            channel.write(bytes(10));
            settle();
            situation.peerCloses();
        });
        add(table, blocking, "reset", (situation, channel) -> situation.peerResets());
        add(table, blocking, "reset was read", (situation, channel) -> {
            situation.peerResets();
            tryRead(channel);
        });
        add(table, blocking, "reset was written", (situation, channel) -> {
            situation.peerResets();
            try {
                channel.write(bytes(1));
            } catch (IOException e) {
                // So it was told.
            }
        });
        add(table, blocking, "output shut, peer closed", (situation, channel) -> {
            situation.peer();
            channel.shutdownOutput();
            settle();
            situation.peerCloses();
        });
        add(table, blocking, "output shut, reset", (situation, channel) -> {
            situation.peer();
            channel.shutdownOutput();
            situation.peerResets();
        });
        add(table, blocking, "input shut, reset", (situation, channel) -> {
            situation.peer();
            channel.shutdownInput();
            situation.peerResets();
        });
        table.state((blocking ? "blocking" : "non-blocking") + " closed", situation -> {
            SocketChannel channel = situation.channel();
            situation.peer();
            channel.configureBlocking(blocking);
            channel.close();
            return channel;
        });
    }

    private static void tryRead(SocketChannel channel) {
        try {
            channel.read(bytes(1));
        } catch (IOException e) {
            // So it was told.
        }
    }

    private static void addCalls(Table<SocketChannel> table) {
        table.call("read", channel -> channel.read(bytes(4)))
                .call("read nothing", channel -> channel.read(bytes(0)))
                .call("read into a read-only buffer", channel -> channel.read(bytes(4).asReadOnlyBuffer()))
                .call("read null", channel -> channel.read((ByteBuffer) null))
                .call("scatter", channel -> channel.read(new ByteBuffer[] {bytes(3), bytes(20)}))
                .call("scatter beyond the end", channel -> channel.read(new ByteBuffer[] {bytes(3)}, 1, 1))
                .call("scatter into none", channel -> channel.read(new ByteBuffer[0]))
                .call("write", channel -> channel.write(bytes(4)))
                .call("write nothing", channel -> channel.write(bytes(0)))
                .call("write null", channel -> channel.write((ByteBuffer) null))
                .call("gather", channel -> channel.write(new ByteBuffer[] {bytes(3), bytes(20)}))
                .call("gather from none", channel -> channel.write(new ByteBuffer[0]))
                .call("connect", channel -> channel.connect(nowhere()))
                .call("connect unresolved", channel -> channel.connect(unresolved()))
                .call("connect null", channel -> channel.connect(null))
                .call("finishConnect", SocketChannel::finishConnect)
                .call("bind null", channel -> channel.bind(null))
                .call("shutdownInput", channel -> channel.shutdownInput() == channel)
                .call("shutdownOutput", channel -> channel.shutdownOutput() == channel)
                .call("getLocalAddress", SocketChannel::getLocalAddress)
                .call("getRemoteAddress", SocketChannel::getRemoteAddress)
                .call("isConnected", SocketChannel::isConnected)
                .call("isConnectionPending", SocketChannel::isConnectionPending)
                .call("isBlocking", SocketChannel::isBlocking)
                .call("toString", SocketChannel::toString)
                .call("configureBlocking true", channel -> channel.configureBlocking(true) == channel)
                .call("configureBlocking false", channel -> channel.configureBlocking(false) == channel)
                .call("register bad", channel -> registered(channel, SelectionKey.OP_ACCEPT))
                .call("close", channel -> {
                    channel.close();
                    return channel.isOpen();
                })
                .call("set SO_LINGER", channel -> channel.setOption(StandardSocketOptions.SO_LINGER, 5) == channel)
                .call("set IP_TOS", channel -> channel.setOption(StandardSocketOptions.IP_TOS, 8) == channel);
        for (int ops = 0; ops <= (SelectionKey.OP_READ | SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT); ops++) {
            int wanted = ops & (SelectionKey.OP_READ | SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT);
            if (wanted == ops) {
                table.call("register " + wanted, channel -> registered(channel, wanted));
            }
        }
        for (SocketOption<?> option : List.of(
                StandardSocketOptions.SO_LINGER,
                StandardSocketOptions.TCP_NODELAY,
                StandardSocketOptions.SO_KEEPALIVE,
                StandardSocketOptions.IP_TOS,
                StandardSocketOptions.SO_REUSEADDR)) {
            table.call("get " + option.name(), channel -> channel.getOption(option));
        }
    }

    private static String registered(SocketChannel channel, int ops) throws IOException {
        try (Selector selector = Selector.open()) {
            SelectionKey key = channel.register(selector, ops);
            int selected = selector.select(Situation.stretched(SELECT_MS));
            return selected + " ready for " + (key.isValid() ? key.readyOps() : "nothing, cancelled");
        }
    }

    private static void addAdaptorCalls(Table<SocketChannel> table) {
        SocketStates.addTransfers(
                (word, call) -> table.call("adaptor's " + word, channel -> call.on(channel.socket())));
        table.call("adaptor's connect", channel -> {
                    channel.socket().connect(nowhere(), 50);
                    return "connected";
                })
                .call("adaptor's connect unresolved", channel -> {
                    channel.socket().connect(unresolved());
                    return "connected";
                })
                .call("adaptor's bind", channel -> {
                    channel.socket().bind(null);
                    return "bound";
                })
                .call("adaptor's flags", channel -> SocketStates.flags(channel.socket()))
                .call("adaptor's addresses", channel -> SocketStates.addresses(channel.socket()))
                .call("adaptor's toString", channel -> channel.socket().toString())
                .call("adaptor's getSoLinger", channel -> channel.socket().getSoLinger())
                .call("adaptor's getTrafficClass", channel -> channel.socket().getTrafficClass())
                .call("adaptor's getKeepAlive", channel -> channel.socket().getKeepAlive())
                .call("adaptor's getOOBInline", channel -> channel.socket().getOOBInline())
                .call("adaptor's close", channel -> {
                    Socket adaptor = channel.socket();
                    adaptor.close();
                    return channel.isOpen();
                });
    }
}
