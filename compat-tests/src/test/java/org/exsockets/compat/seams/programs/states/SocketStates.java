package org.exsockets.compat.seams.programs.states;

import static org.exsockets.compat.seams.programs.states.Situation.nowhere;
import static org.exsockets.compat.seams.programs.states.Situation.settle;
import static org.exsockets.compat.seams.programs.states.Situation.unresolved;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.exsockets.compat.harness.Patience;

/** {@link Socket} and its streams. */
final class SocketStates {
    private static final int TIMEOUT_MS = 20;

    private SocketStates() {}

    static Table<Socket> table() {
        Table<Socket> table = new Table<>("Socket", socket -> !socket.isClosed());
        addStates(table);
        addTransfers(table::call);
        addCalls(table);
        addOptions(table);
        return table;
    }

    private static void add(Table<Socket> table, String word, Table.Preparation<Socket> preparation) {
        table.state(word, Situation::socket, preparation);
    }

    private static void addUnconnected(Table<Socket> table, String word, Table.Preparation<Socket> preparation) {
        table.state(word, situation -> new Socket(), preparation);
    }

    private static void addStates(Table<Socket> table) {
        addUnconnected(table, "new", (situation, socket) -> {});
        addUnconnected(
                table,
                "bound",
                (situation, socket) -> socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        addUnconnected(table, "closed, new", (situation, socket) -> socket.close());
        addUnconnected(table, "refused", (situation, socket) -> {
            try {
                socket.connect(nowhere());
            } catch (IOException e) {
                // So it is refused.
            }
        });
        addUnconnected(table, "connected in time", (situation, socket) -> {
            socket.connect(situation.address(), Patience.NEVER_MS);
            situation.peer();
        });
        add(table, "connected", (situation, socket) -> situation.peer());
        add(table, "not accepted", (situation, socket) -> {});
        add(table, "never accepted", (situation, socket) -> situation.listenerCloses());
        add(table, "input shut", (situation, socket) -> {
            situation.peer();
            socket.shutdownInput();
        });
        add(table, "input shut before bytes were read", (situation, socket) -> {
            situation.peerWrites(10);
            socket.shutdownInput();
        });
        add(table, "output shut", (situation, socket) -> {
            situation.peer();
            socket.shutdownOutput();
        });
        add(table, "both shut", (situation, socket) -> {
            situation.peer();
            socket.shutdownInput();
            socket.shutdownOutput();
        });
        add(table, "input closed", (situation, socket) -> {
            situation.peer();
            socket.getInputStream().close();
        });
        add(table, "output closed", (situation, socket) -> {
            situation.peer();
            socket.getOutputStream().close();
        });
        add(table, "bytes", (situation, socket) -> situation.peerWrites(10));
        add(table, "bytes, peer's output shut", (situation, socket) -> {
            situation.peerWrites(10);
            situation.peerShutsOutput();
        });
        add(table, "peer's output shut", (situation, socket) -> situation.peerShutsOutput());
        add(table, "peer's input shut", (situation, socket) -> situation.peerShutsInput());
        add(table, "peer closed", (situation, socket) -> situation.peerCloses());
        add(table, "bytes, peer closed", (situation, socket) -> {
            situation.peerWrites(10);
            situation.peerCloses();
        });
        add(table, "written after the peer's close", (situation, socket) -> {
            situation.peerCloses();
            socket.getOutputStream().write(1);
            settle();
        });
        add(table, "bytes, written after the peer's close", (situation, socket) -> {
            situation.peerWrites(10);
            situation.peerCloses();
            socket.getOutputStream().write(1);
            settle();
        });
        add(table, "peer closed before it read", (situation, socket) -> {
            situation.peer();
            socket.getOutputStream().write(1);
            settle();
            situation.peerCloses();
        });
        add(table, "reset", (situation, socket) -> situation.peerResets());
        add(table, "bytes, reset", (situation, socket) -> {
            situation.peerWrites(10);
            situation.peerResets();
        });
        add(table, "reset was read", (situation, socket) -> {
            situation.peerResets();
            try {
                socket.getInputStream().read();
            } catch (IOException e) {
                // So it was told.
            }
        });
        add(table, "reset was written", (situation, socket) -> {
            situation.peerResets();
            try {
                socket.getOutputStream().write(1);
            } catch (IOException e) {
                // So it was told.
            }
        });
        add(table, "output shut, reset", (situation, socket) -> {
            situation.peer();
            socket.shutdownOutput();
            situation.peerResets();
        });
        add(table, "input shut, reset", (situation, socket) -> {
            situation.peer();
            socket.shutdownInput();
            situation.peerResets();
        });
        add(table, "closed", (situation, socket) -> {
            situation.peer();
            socket.close();
        });
    }

    /** Adds what moves bytes, and ends that; of adaptors, too. */
    static void addTransfers(BiConsumer<String, Table.Call<Socket>> to) {
        to.accept("read", socket -> socket.getInputStream().read());
        to.accept("read of some", socket -> socket.getInputStream().read(new byte[4]));
        to.accept("read of nothing", socket -> socket.getInputStream().read(new byte[0]));
        to.accept("read beyond the end", socket -> socket.getInputStream().read(new byte[1], 1, 1));
        to.accept("available", socket -> socket.getInputStream().available());
        to.accept("skip", socket -> socket.getInputStream().skip(3));
        to.accept("skip of nothing", socket -> socket.getInputStream().skip(0));
        to.accept("timed read", socket -> {
            socket.setSoTimeout(TIMEOUT_MS);
            return socket.getInputStream().read();
        });
        to.accept("write", socket -> {
            socket.getOutputStream().write(1);
            return "written";
        });
        to.accept("write of nothing", socket -> {
            socket.getOutputStream().write(new byte[0]);
            return "written";
        });
        to.accept("write beyond the end", socket -> {
            socket.getOutputStream().write(new byte[1], 1, 1);
            return "written";
        });
        to.accept("sendUrgentData", socket -> {
            socket.sendUrgentData(1);
            return "sent";
        });
        to.accept("shutdownInput", socket -> {
            socket.shutdownInput();
            return socket.isInputShutdown();
        });
        to.accept("shutdownOutput", socket -> {
            socket.shutdownOutput();
            return socket.isOutputShutdown();
        });
    }

    private static void addCalls(Table<Socket> table) {
        table.call("read of all", socket -> socket.getInputStream().readAllBytes().length)
                .call("read of ten", socket -> socket.getInputStream().readNBytes(10).length)
                .call("transferTo", socket -> socket.getInputStream().transferTo(new ByteArrayOutputStream()))
                .call("flush", socket -> {
                    socket.getOutputStream().flush();
                    return "flushed";
                })
                .call("close of the input", socket -> {
                    socket.getInputStream().close();
                    return socket.isClosed();
                })
                .call("close of the output", socket -> {
                    socket.getOutputStream().close();
                    return socket.isClosed();
                })
                .call("bind", socket -> {
                    socket.bind(null);
                    return socket.isBound();
                })
                .call("connect", socket -> {
                    socket.connect(nowhere(), 50);
                    return "connected";
                })
                .call("connect null", socket -> {
                    socket.connect(null);
                    return "connected";
                })
                .call("connect unresolved", socket -> {
                    socket.connect(unresolved());
                    return "connected";
                })
                .call("flags", SocketStates::flags)
                .call("addresses", SocketStates::addresses)
                .call("toString", Socket::toString)
                .call("getChannel", Socket::getChannel)
                .call("close", socket -> {
                    socket.close();
                    return socket.isClosed();
                });
    }

    static String flags(Socket socket) {
        return (socket.isBound() ? "bound " : "")
                + (socket.isConnected() ? "connected " : "")
                + (socket.isClosed() ? "closed " : "")
                + (socket.isInputShutdown() ? "input shut " : "")
                + (socket.isOutputShutdown() ? "output shut" : "");
    }

    static String addresses(Socket socket) {
        return "from " + socket.getLocalAddress() + " " + Integer.signum(socket.getLocalPort()) + " "
                + socket.getLocalSocketAddress() + " to " + socket.getInetAddress() + " "
                + Integer.signum(socket.getPort()) + " " + socket.getRemoteSocketAddress();
    }

    private static void addOptions(Table<Socket> table) {
        table.call("getSoLinger", Socket::getSoLinger)
                .call("setSoLinger", socket -> {
                    socket.setSoLinger(true, 3);
                    return socket.getSoLinger();
                })
                .call("getTcpNoDelay", Socket::getTcpNoDelay)
                .call("setTcpNoDelay", socket -> {
                    socket.setTcpNoDelay(true);
                    return socket.getTcpNoDelay();
                })
                .call("getKeepAlive", Socket::getKeepAlive)
                .call("setKeepAlive", socket -> {
                    socket.setKeepAlive(true);
                    return socket.getKeepAlive();
                })
                .call("getTrafficClass", Socket::getTrafficClass)
                .call("setTrafficClass", socket -> {
                    socket.setTrafficClass(16);
                    return socket.getTrafficClass();
                })
                .call("setTrafficClass bad", socket -> {
                    socket.setTrafficClass(300);
                    return "set";
                })
                .call("getOOBInline", Socket::getOOBInline)
                .call("setOOBInline", socket -> {
                    socket.setOOBInline(true);
                    return socket.getOOBInline();
                })
                .call("getReuseAddress", Socket::getReuseAddress)
                .call("setReuseAddress", socket -> {
                    socket.setReuseAddress(true);
                    return socket.getReuseAddress();
                })
                .call("getSoTimeout", Socket::getSoTimeout)
                .call("setSoTimeout bad", socket -> {
                    socket.setSoTimeout(-1);
                    return "set";
                })
                .call("setReceiveBufferSize", socket -> {
                    socket.setReceiveBufferSize(20_000);
                    return socket.getReceiveBufferSize();
                })
                .call("setReceiveBufferSize bad", socket -> {
                    socket.setReceiveBufferSize(0);
                    return "set";
                })
                .call("setSendBufferSize", socket -> {
                    socket.setSendBufferSize(20_000);
                    return socket.getSendBufferSize();
                })
                .call("supportedOptions", socket -> names(socket.supportedOptions()))
                .call("getOption", socket -> socket.getOption(StandardSocketOptions.TCP_NODELAY))
                .call("getOption null", socket -> socket.getOption(null))
                .call("getOption bad", socket -> socket.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
    }

    static Set<String> names(Set<SocketOption<?>> options) {
        Set<String> names = new TreeSet<>();
        options.forEach(option -> names.add(option.name()));
        return names;
    }
}
