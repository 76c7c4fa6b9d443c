package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every option, on everything that has it, in every state of it: what can be set is read back, what cannot is refused
 * with TCP's exceptions. Figures are those of Linux.
 */
@Tag("usual")
class OptionStatesContract extends Contract {
    /** What options are set on. */
    enum Holder {
        UNBOUND_CHANNEL,
        BOUND_CHANNEL,
        CONNECTED_CHANNEL,
        ACCEPTED_CHANNEL,
        UNBOUND_ADAPTOR,
        CONNECTED_ADAPTOR,
        ACCEPTED_ADAPTOR,
        UNBOUND_SOCKET,
        BOUND_SOCKET,
        CONNECTED_SOCKET,
        ACCEPTED_SOCKET,
        UNBOUND_LISTENING_CHANNEL,
        LISTENING_CHANNEL,
        LISTENING_ADAPTOR,
        UNBOUND_LISTENING_SOCKET,
        LISTENING_SOCKET;

        boolean listens() {
            return name().contains("LISTENING");
        }
    }

    private interface Setter {
        <T> Object set(SocketOption<T> name, T value) throws IOException;
    }

    private interface Getter {
        <T> T get(SocketOption<T> name) throws IOException;
    }

    /** One thing that has options, whatever its class. */
    private record Options(Setter setter, Getter getter, Supplier<Set<SocketOption<?>>> all, Closeable holder) {
        <T> void set(SocketOption<T> name, T value) throws IOException {
            setter.set(name, value);
        }

        <T> T get(SocketOption<T> name) throws IOException {
            return getter.get(name);
        }

        Set<SocketOption<?>> supported() {
            return all.get();
        }

        void close() throws IOException {
            holder.close();
        }
    }

    /** Values in the order in which they are set, and what is read then. */
    private static final Map<SocketOption<?>, Object[][]> KEPT = new LinkedHashMap<>();

    static {
        Object[][] flag = {{true, true}, {false, false}, {true, true}};
        KEPT.put(StandardSocketOptions.SO_KEEPALIVE, flag);
        KEPT.put(StandardSocketOptions.SO_REUSEADDR, flag);
        KEPT.put(StandardSocketOptions.SO_REUSEPORT, flag);
        KEPT.put(StandardSocketOptions.TCP_NODELAY, flag);
        KEPT.put(ExtendedSocketOptions.TCP_QUICKACK, flag);
        KEPT.put(
                StandardSocketOptions.SO_LINGER, new Object[][] {{5, 5}, {0, 0}, {-7, -1}, {70_000, 65_535}, {-1, -1}});
        KEPT.put(StandardSocketOptions.SO_RCVBUF, new Object[][] {{20_000, 20_000}, {40_000, 40_000}});
        KEPT.put(StandardSocketOptions.SO_SNDBUF, new Object[][] {{20_000, 20_000}, {40_000, 40_000}});
        KEPT.put(StandardSocketOptions.IP_TOS, new Object[][] {{16, 16}, {8, 8}, {0, 0}, {255, 252}});
        Object[][] seconds = {{5, 5}, {1, 1}, {32_767, 32_767}};
        KEPT.put(ExtendedSocketOptions.TCP_KEEPIDLE, seconds);
        KEPT.put(ExtendedSocketOptions.TCP_KEEPINTERVAL, seconds);
        KEPT.put(ExtendedSocketOptions.TCP_KEEPCOUNT, new Object[][] {{5, 5}, {1, 1}, {127, 127}});
    }

    static Stream<Arguments> keptOptions() {
        List<Arguments> all = new ArrayList<>();
        for (SocketOption<?> name : KEPT.keySet()) {
            for (Holder holder : Holder.values()) {
                if (!holder.listens() || isListenersOption(name, holder)) {
                    all.add(Arguments.of(name, holder));
                }
            }
        }
        return all.stream();
    }

    private static boolean isListenersOption(SocketOption<?> name, Holder holder) {
        return switch (name.name()) {
            case "SO_KEEPALIVE", "SO_LINGER", "SO_SNDBUF", "TCP_NODELAY" -> false;
            case "IP_TOS" -> holder.name().endsWith("SOCKET");
            default -> true;
        };
    }

    @ParameterizedTest(name = "{0} is set and read back on {1}")
    @MethodSource("keptOptions")
    @SuppressWarnings({"unchecked", "rawtypes"})
    void kept(SocketOption name, Holder holder) throws Exception {
        Options options = open(holder);
        assertTrue(options.supported().contains(name), "supported");
        for (Object[] step : KEPT.get(name)) {
            options.set(name, step[0]);
            assertEquals(step[1], options.get(name), "after " + step[0]);
        }
    }

    @ParameterizedTest(name = "illegal values are refused on {0}")
    @EnumSource(Holder.class)
    @SuppressWarnings({"unchecked", "rawtypes"})
    void illegalValues(Holder holder) throws Exception {
        Options options = open(holder);
        for (SocketOption name : options.supported()) {
            assertThrows(IllegalArgumentException.class, "Invalid value 'null'", () -> options.set(name, null));
            assertThrows(IllegalArgumentException.class, "Invalid value 'x'", () -> options.set(name, "x"));
        }
        SocketOption<Integer> buffer = StandardSocketOptions.SO_RCVBUF;
        assertThrows(IllegalArgumentException.class, "Invalid send/receive buffer size", () -> options.set(buffer, -1));
        if (options.supported().contains(StandardSocketOptions.IP_TOS)) {
            for (int tos : new int[] {-1, 256}) {
                assertThrows(
                        IllegalArgumentException.class,
                        "Invalid IP_TOS value",
                        () -> options.set(StandardSocketOptions.IP_TOS, tos));
            }
        }
        for (SocketOption<Integer> name :
                List.of(ExtendedSocketOptions.TCP_KEEPIDLE, ExtendedSocketOptions.TCP_KEEPINTERVAL)) {
            for (int seconds : new int[] {0, -1, 32_768}) {
                assertThrows(SocketException.class, "Invalid argument", () -> options.set(name, seconds));
            }
        }
        for (int count : new int[] {0, -1, 128}) {
            assertThrows(
                    SocketException.class,
                    "Invalid argument",
                    () -> options.set(ExtendedSocketOptions.TCP_KEEPCOUNT, count));
        }
    }

    @ParameterizedTest(name = "the identifier of the receiving queue is zero and cannot be set on {0}")
    @EnumSource(Holder.class)
    void receivingQueue(Holder holder) throws Exception {
        Options options = open(holder);
        SocketOption<Integer> queue = ExtendedSocketOptions.SO_INCOMING_NAPI_ID;
        Assumptions.assumeTrue(options.supported().contains(queue), "no SO_INCOMING_NAPI_ID here");
        assertEquals(0, options.get(queue));
        assertThrows(
                SocketException.class,
                "Attempt to set read only option SO_INCOMING_NAPI_ID",
                () -> options.set(queue, 1));
    }

    @ParameterizedTest(name = "options of other sockets and no option are refused on {0}")
    @EnumSource(Holder.class)
    void foreignOptions(Holder holder) throws Exception {
        Options options = open(holder);
        SocketOption<Integer> foreign = StandardSocketOptions.IP_MULTICAST_TTL;
        String refusal = "'IP_MULTICAST_TTL' not supported";
        assertThrows(UnsupportedOperationException.class, refusal, () -> options.set(foreign, 1));
        assertThrows(UnsupportedOperationException.class, refusal, () -> options.get(foreign));
        assertThrowsA(NullPointerException.class, () -> options.set(null, 1));
        assertThrowsA(NullPointerException.class, () -> options.get(null));
    }

    @ParameterizedTest(name = "options are refused after the close of {0}")
    @EnumSource(Holder.class)
    @SuppressWarnings({"unchecked", "rawtypes"})
    void afterClose(Holder holder) throws Exception {
        Options options = open(holder);
        Set<SocketOption<?>> supported = options.supported();
        options.close();
        boolean socket = holder.name().endsWith("SOCKET");
        Class<? extends Exception> type = socket ? SocketException.class : ClosedChannelException.class;
        String message = socket ? "Socket is closed" : null;
        for (SocketOption name : supported) {
            assertThrows(type, message, () -> options.get(name));
            Object value = name.type() == Boolean.class ? Boolean.TRUE : Integer.valueOf(5);
            assertThrows(type, message, () -> options.set(name, value));
        }
        assertEquals(supported, options.supported());
        if (!socket) {
            // Channels look at the option before they look at themselves.
            assertThrows(
                    IllegalArgumentException.class,
                    "Invalid value 'null'",
                    () -> options.set(StandardSocketOptions.SO_RCVBUF, null));
            assertThrowsA(
                    UnsupportedOperationException.class, () -> options.get(StandardSocketOptions.IP_MULTICAST_TTL));
        }
    }

    /** What has done nothing before its close has options still on some JDKs and none on others. */
    @ParameterizedTest(name = "has its options still after the close: {0}, which was not asked before")
    @EnumSource(
            value = Holder.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNBOUND_SOCKET", "UNBOUND_LISTENING_SOCKET"})
    void supportedAfterClose(Holder holder) throws Exception {
        Options options = open(holder);
        options.close();
        assertEquals(open(holder).supported(), options.supported());
    }

    @ParameterizedTest(name = "has the same options as any other of its class and TCP''s defaults: {0}")
    @EnumSource(Holder.class)
    void defaults(Holder holder) throws Exception {
        Options options = open(holder);
        Map<SocketOption<?>, Object> expected = new LinkedHashMap<>();
        boolean accepting = holder.listens() || holder.name().startsWith("ACCEPTED");
        expected.put(StandardSocketOptions.SO_REUSEADDR, accepting);
        expected.put(StandardSocketOptions.SO_REUSEPORT, false);
        expected.put(StandardSocketOptions.SO_KEEPALIVE, false);
        expected.put(StandardSocketOptions.TCP_NODELAY, false);
        expected.put(StandardSocketOptions.SO_LINGER, -1);
        expected.put(StandardSocketOptions.IP_TOS, 0);
        expected.put(ExtendedSocketOptions.TCP_KEEPCOUNT, configured("tcp_keepalive_probes", 9));
        expected.put(ExtendedSocketOptions.TCP_KEEPIDLE, configured("tcp_keepalive_time", 7200));
        expected.put(ExtendedSocketOptions.TCP_KEEPINTERVAL, configured("tcp_keepalive_intvl", 75));
        for (Map.Entry<SocketOption<?>, Object> option : expected.entrySet()) {
            if (options.supported().contains(option.getKey())) {
                assertEquals(
                        option.getValue(),
                        options.get(option.getKey()),
                        option.getKey().name());
            }
        }
    }

    /** {@return what this host has set for all its connections; Linux's default if that is not to be seen} */
    private static int configured(String name, int usual) throws IOException {
        Path setting = Path.of("/proc/sys/net/ipv4", name);
        if (!Files.isReadable(setting)) {
            return usual;
        }
        // At once: whoever reads such a file byte by byte gets the first one only.
        try (BufferedReader line = Files.newBufferedReader(setting)) {
            return Integer.parseInt(line.readLine().trim());
        }
    }

    // What connections have from their listener.

    static Stream<Arguments> inheritedOptions() {
        List<Arguments> all = new ArrayList<>();
        for (Holder listener : List.of(Holder.LISTENING_CHANNEL, Holder.LISTENING_ADAPTOR, Holder.LISTENING_SOCKET)) {
            all.add(Arguments.of(StandardSocketOptions.SO_RCVBUF, 22_222, listener));
            all.add(Arguments.of(StandardSocketOptions.SO_REUSEADDR, false, listener));
            all.add(Arguments.of(ExtendedSocketOptions.TCP_KEEPIDLE, 17, listener));
            all.add(Arguments.of(ExtendedSocketOptions.TCP_KEEPINTERVAL, 18, listener));
            all.add(Arguments.of(ExtendedSocketOptions.TCP_KEEPCOUNT, 19, listener));
        }
        all.add(Arguments.of(StandardSocketOptions.IP_TOS, 8, Holder.LISTENING_SOCKET));
        return all.stream();
    }

    @ParameterizedTest(name = "{0} set to {1} on {2} is inherited by its connections, whenever it is set")
    @MethodSource("inheritedOptions")
    @SuppressWarnings({"unchecked", "rawtypes"})
    void inherited(SocketOption name, Object value, Holder holder) throws Exception {
        if (holder == Holder.LISTENING_SOCKET) {
            ServerSocket before = closing(new ServerSocket());
            before.setOption(name, value);
            before.bind(testAddress(0));
            assertEquals(value, acceptedBy(before).getOption(name), "set before bind");
            ServerSocket after = listeningSocket();
            after.setOption(name, value);
            assertEquals(value, acceptedBy(after).getOption(name), "set after bind");
            return;
        }
        boolean adaptor = holder == Holder.LISTENING_ADAPTOR;
        for (boolean bindFirst : new boolean[] {false, true}) {
            ServerSocketChannel listener = closing(ServerSocketChannel.open());
            if (bindFirst) {
                listener.bind(testAddress(0));
            }
            if (adaptor) {
                listener.socket().setOption(name, value);
            } else {
                listener.setOption(name, value);
            }
            if (!bindFirst) {
                listener.bind(testAddress(0));
            }
            closing(SocketChannel.open(listener.getLocalAddress()));
            SocketChannel accepted = adaptor ? listener.socket().accept().getChannel() : listener.accept();
            closing(accepted);
            assertEquals(value, accepted.getOption(name), "bound first: " + bindFirst);
        }
    }

    @Test
    void acceptedConnectionsKeepTheirOptionsWhenTheListenerChangesOrCloses() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        listener.setOption(StandardSocketOptions.SO_RCVBUF, 22_222);
        closing(SocketChannel.open(listener.getLocalAddress()));
        SocketChannel accepted = closing(listener.accept());
        listener.setOption(StandardSocketOptions.SO_RCVBUF, 33_333);
        listener.close();
        assertEquals(22_222, accepted.getOption(StandardSocketOptions.SO_RCVBUF));
        assertTrue(accepted.getOption(StandardSocketOptions.SO_REUSEADDR));
    }

    @Test
    void timeoutOfAListenerIsNotInherited() throws Exception {
        ServerSocket listener = listeningSocket();
        listener.setSoTimeout(5_000);
        assertEquals(0, acceptedBy(listener).getSoTimeout());
    }

    @Test
    void optionsSetBeforeTheConnectAreKeptByIt() throws Exception {
        ServerSocketChannel listener = listeningChannel();
        SocketChannel channel = closing(SocketChannel.open());
        Socket socket = closing(new Socket());
        for (Map.Entry<SocketOption<?>, Object[][]> option : KEPT.entrySet()) {
            if (!option.getKey().name().equals("TCP_QUICKACK")) { // TCP itself changes it.
                setFirst(channel::setOption, option.getKey(), option.getValue());
                setFirst(socket::setOption, option.getKey(), option.getValue());
            }
        }
        channel.connect(listener.getLocalAddress());
        socket.connect(listener.getLocalAddress());
        for (Map.Entry<SocketOption<?>, Object[][]> option : KEPT.entrySet()) {
            if (!option.getKey().name().equals("TCP_QUICKACK")) {
                Object expected = option.getValue()[0][1];
                assertEquals(
                        expected,
                        channel.getOption(option.getKey()),
                        option.getKey().name());
                assertEquals(
                        expected,
                        socket.getOption(option.getKey()),
                        option.getKey().name());
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void setFirst(Setter setter, SocketOption<?> name, Object[][] steps) throws IOException {
        setter.set((SocketOption<Object>) name, steps[0][0]);
    }

    @Test
    void listenersThatShareAPortBothListen() throws Exception {
        ServerSocketChannel first = closing(ServerSocketChannel.open());
        first.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        first.bind(testAddress(0));
        ServerSocketChannel second = closing(ServerSocketChannel.open());
        second.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        second.bind(first.getLocalAddress());
        closing(SocketChannel.open(first.getLocalAddress()));
        first.configureBlocking(false);
        second.configureBlocking(false);
        SocketChannel[] accepted = new SocketChannel[1];
        await("a connection at either listener", () -> {
            try {
                accepted[0] = first.accept();
                accepted[0] = accepted[0] == null ? second.accept() : accepted[0];
                return accepted[0] != null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertTrue(closing(accepted[0]).getOption(StandardSocketOptions.SO_REUSEPORT));
    }

    // The setters of java.net.

    @Test
    void settersOfASocketRefuseIllegalValues() throws Exception {
        Socket plain = socketPair().client();
        assertThrowsA(IllegalArgumentException.class, () -> plain.setSoLinger(true, -1));
        for (Socket socket :
                List.of(socketPair().client(), channelPair().client().socket())) {
            assertThrowsA(IllegalArgumentException.class, () -> socket.setTrafficClass(-1));
            assertThrowsA(IllegalArgumentException.class, () -> socket.setTrafficClass(256));
            assertThrowsA(IllegalArgumentException.class, () -> socket.setSendBufferSize(0));
            assertThrowsA(IllegalArgumentException.class, () -> socket.setReceiveBufferSize(0));
            assertThrowsA(IllegalArgumentException.class, () -> socket.setSoTimeout(-1));
            socket.setSoLinger(true, 70_000);
            assertEquals(65_535, socket.getSoLinger());
            socket.setSoLinger(false, 9);
            assertEquals(-1, socket.getSoLinger());
        }
    }

    @Test
    void performancePreferencesAreTakenInEveryState() throws Exception {
        for (Socket socket : List.of(
                closing(new Socket()),
                socketPair().server(),
                channelPair().server().socket())) {
            socket.setPerformancePreferences(1, 2, 3);
            socket.close();
            socket.setPerformancePreferences(3, 2, 1);
        }
        for (ServerSocket listener :
                List.of(listeningSocket(), listeningChannel().socket())) {
            listener.setPerformancePreferences(1, 2, 3);
            listener.close();
            listener.setPerformancePreferences(3, 2, 1);
        }
    }

    @Test
    void timeoutsOfAClosedListenerAreRefused() throws Exception {
        for (ServerSocket listener :
                List.of(listeningSocket(), listeningChannel().socket())) {
            listener.setSoTimeout(50);
            listener.close();
            assertThrows(SocketException.class, "Socket is closed", listener::getSoTimeout);
            assertThrows(SocketException.class, "Socket is closed", () -> listener.setSoTimeout(1));
            assertThrows(SocketException.class, "Socket is closed", listener::getReuseAddress);
        }
    }

    private Socket acceptedBy(ServerSocket listener) throws IOException {
        closing(new Socket()).connect(listener.getLocalSocketAddress());
        return closing(listener.accept());
    }

    private Options open(Holder holder) throws IOException {
        return switch (holder) {
            case UNBOUND_CHANNEL -> of(closing(SocketChannel.open()));
            case BOUND_CHANNEL -> of(closing(SocketChannel.open()).bind(testAddress(0)));
            case CONNECTED_CHANNEL -> of(channelPair().client());
            case ACCEPTED_CHANNEL -> of(channelPair().server());
            case UNBOUND_ADAPTOR -> of(closing(SocketChannel.open()).socket());
            case CONNECTED_ADAPTOR -> of(channelPair().client().socket());
            case ACCEPTED_ADAPTOR -> of(channelPair().server().socket());
            case UNBOUND_SOCKET -> of(closing(new Socket()));
            case BOUND_SOCKET -> {
                Socket bound = closing(new Socket());
                bound.bind(testAddress(0));
                yield of(bound);
            }
            case CONNECTED_SOCKET -> of(socketPair().client());
            case ACCEPTED_SOCKET -> of(socketPair().server());
            case UNBOUND_LISTENING_CHANNEL -> of(closing(ServerSocketChannel.open()));
            case LISTENING_CHANNEL -> of(listeningChannel());
            case LISTENING_ADAPTOR -> of(listeningChannel().socket());
            case UNBOUND_LISTENING_SOCKET -> of(closing(new ServerSocket()));
            case LISTENING_SOCKET -> of(listeningSocket());
        };
    }

    private static Options of(NetworkChannel channel) {
        return new Options(channel::setOption, channel::getOption, channel::supportedOptions, channel);
    }

    private static Options of(Socket socket) {
        return new Options(socket::setOption, socket::getOption, socket::supportedOptions, socket);
    }

    private static Options of(ServerSocket socket) {
        return new Options(socket::setOption, socket::getOption, socket::supportedOptions, socket);
    }
}
