package org.exsockets.compat.seams.programs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * Prints which listener of this host a client reaches, and which addresses both ends tell, one line for each kind of client,
 * address that it is bound to and destination, beside each set of listeners on one port. Ports are told by what they are equal to.
 */
public final class AddressTable {
    private static final String LINK_LOCAL = "link-local";
    private static final String HOST_4 = "host4";
    private static final String HOST_6 = "host6";

    /** Kind of listener and address; those of one line share a port. */
    private static final List<List<String>> LISTENERS = List.of(
            List.of("socket *"),
            List.of("channel *"),
            List.of("channel4 *"),
            List.of("channel6 ::"),
            List.of("asynchronous *"),
            List.of("socket 127.0.0.1"),
            List.of("channel ::1"),
            List.of("channel 127.0.0.2", "socket 127.0.0.1"),
            List.of("channel4 127.0.0.1", "channel6 ::1"),
            List.of("channel4 0.0.0.0", "socket ::1"),
            List.of("socket 127.0.0.1", "socket ::"),
            List.of("asynchronous ::1", "channel " + HOST_4, "asynchronous 127.0.0.2"),
            List.of("socket " + LINK_LOCAL, "channel " + HOST_6, "channel4 " + HOST_4));

    private static final List<String> BOUND =
            List.of("nothing", "0.0.0.0", "::", "127.0.0.1", "127.0.0.2", "::1", HOST_4, HOST_6, LINK_LOCAL);
    private static final List<String> DESTINATIONS = List.of(
            "127.0.0.1",
            "127.0.0.2",
            "127.1.2.3",
            "localhost",
            "::1",
            "0.0.0.0",
            "::",
            "::ffff:127.0.0.1",
            "::ffff:127.0.0.2",
            HOST_4,
            HOST_6,
            LINK_LOCAL,
            LINK_LOCAL + " without scope");

    private static final List<String> OWNED =
            List.of("127.0.0.1", "127.0.0.2", "127.1.2.3", "::1", HOST_4, HOST_6, LINK_LOCAL);

    private static final Map<String, Client> CLIENTS = new LinkedHashMap<>();

    static {
        CLIENTS.put("socket", AddressTable::socket);
        CLIENTS.put("adaptor", AddressTable::adaptor);
        CLIENTS.put("channel", (bound, destination) -> channel(null, bound, destination));
        CLIENTS.put("channel4", (bound, destination) -> channel(StandardProtocolFamily.INET, bound, destination));
        CLIENTS.put("channel6", (bound, destination) -> channel(StandardProtocolFamily.INET6, bound, destination));
        CLIENTS.put("asynchronous", AddressTable::asynchronous);
    }

    /** Connects, reads to the end, and tells of its addresses and what it has read. */
    private interface Client {
        String connect(SocketAddress bound, InetSocketAddress destination) throws Exception;
    }

    /** A listener that tells each of its clients what it sees of the connection, and ends it. */
    private interface Listener extends AutoCloseable {
        /** {@return null for any} */
        InetSocketAddress bind(InetSocketAddress address) throws IOException;

        void serve() throws Exception;

        @Override
        void close() throws IOException;
    }

    private AddressTable() {}

    /** Prints the table. */
    public static void main(String[] arguments) throws Exception {
        for (List<String> set : LISTENERS) {
            table(set);
        }
        System.exit(0);
    }

    private static void table(List<String> set) throws Exception {
        List<Listener> listeners = new ArrayList<>();
        Map<InetAddress, Socket> owned = ownPort();
        int port = owned.values().iterator().next().getLocalPort();
        for (String each : set) {
            String[] words = each.split(" ");
            try {
                InetAddress address = words[1].equals("*") ? null : address(words[1]);
                Listener listener = listener(words[0], each);
                listeners.add(listener);
                free(owned, address);
                InetSocketAddress bound = listener.bind(new InetSocketAddress(address, port));
                Thread server = new Thread(() -> serve(listener));
                server.setDaemon(true);
                server.start();
                System.out.println(set + " " + each + ": " + host(bound));
            } catch (Exception e) {
                System.out.println(set + " " + each + ": " + e);
            }
        }
        ownWhatIsLeft(owned, port);
        for (Map.Entry<String, Client> client : CLIENTS.entrySet()) {
            for (String bound : BOUND) {
                for (String destination : DESTINATIONS) {
                    if (isUnanswered(bound, destination)) {
                        continue;
                    }
                    String outcome = outcome(client.getValue(), bound, destination, port);
                    System.out.println(
                            set + ", " + client.getKey() + " of " + bound + " to " + destination + ": " + outcome);
                }
            }
        }
        for (Listener listener : listeners) {
            listener.close();
        }
        for (Socket socket : owned.values()) {
            socket.close();
        }
    }

    /**
     * {@return sockets on one port of each address that is connected to} They listen to nobody, and keep listeners of other processes
     * from that port, which would be reached otherwise.
     */
    private static Map<InetAddress, Socket> ownPort() throws IOException {
        while (true) {
            Map<InetAddress, Socket> owned = new LinkedHashMap<>();
            try {
                int port = 0;
                for (String name : OWNED) {
                    InetAddress address = addressOrNull(name);
                    if (address != null && !owned.containsKey(address)) {
                        Socket socket = new Socket();
                        owned.put(address, socket);
                        socket.bind(new InetSocketAddress(address, port));
                        port = socket.getLocalPort();
                    }
                }
                return owned;
            } catch (BindException somebodyElses) {
                for (Socket socket : owned.values()) {
                    socket.close();
                }
            }
        }
    }

    /** {@return null if this host has none, or its JDK does not use it} */
    private static InetAddress addressOrNull(String name) {
        try (Socket socket = new Socket()) {
            InetAddress address = address(name);
            socket.bind(new InetSocketAddress(address, 0));
            return address;
        } catch (IOException none) {
            return null;
        }
    }

    /** @param address null: all of them */
    private static void free(Map<InetAddress, Socket> owned, InetAddress address) throws IOException {
        for (Map.Entry<InetAddress, Socket> each : owned.entrySet()) {
            if (address == null || address.isAnyLocalAddress() || address.equals(each.getKey())) {
                each.getValue().close();
            }
        }
    }

    /**
     * Owns again what listeners that could not be bound were to have: of a client that is bound to such an address the kernel may
     * choose this very port, and connect it to itself, where it waits for ever.
     */
    private static void ownWhatIsLeft(Map<InetAddress, Socket> owned, int port) throws IOException {
        for (Map.Entry<InetAddress, Socket> each : owned.entrySet()) {
            if (each.getValue().isClosed()) {
                Socket socket = new Socket();
                try {
                    socket.bind(new InetSocketAddress(each.getKey(), port));
                    each.setValue(socket);
                } catch (BindException aListeners) {
                    socket.close();
                }
            }
        }
    }

    /** IPv6's loopback is on one link, such an address on another: a connect over TCP gets no answer, and goes on for minutes. */
    private static boolean isUnanswered(String bound, String destination) {
        return bound.equals("::1") && (destination.startsWith(LINK_LOCAL) || destination.equals(HOST_6))
                || bound.equals(LINK_LOCAL) && List.of("::1", "::", "0.0.0.0").contains(destination);
    }

    private static String outcome(Client client, String bound, String destination, int port) {
        try {
            InetSocketAddress local = bound.equals("nothing") ? null : new InetSocketAddress(address(bound), 0);
            return client.connect(local, new InetSocketAddress(address(destination), port));
        } catch (ExecutionException e) {
            return e.getCause().toString();
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static void serve(Listener listener) {
        try {
            while (true) {
                listener.serve();
            }
        } catch (ClosedChannelException | SocketException e) {
            // The end of its set.
        } catch (ExecutionException e) {
            // The same, of an asynchronous one.
        } catch (Exception e) {
            System.out.println("listener: " + e);
        }
    }

    private static InetAddress address(String name) throws IOException {
        return switch (name) {
            case HOST_4 -> ofThisHost(HOST_4, Inet4Address.class, false);
            case HOST_6 -> ofThisHost(HOST_6, Inet6Address.class, false);
            case LINK_LOCAL -> ofThisHost(LINK_LOCAL, Inet6Address.class, true);
            case LINK_LOCAL + " without scope" ->
                InetAddress.getByAddress(
                        ofThisHost(LINK_LOCAL, Inet6Address.class, true).getAddress());
            default -> InetAddress.getByName(name);
        };
    }

    private static InetAddress ofThisHost(String name, Class<?> family, boolean linkLocal) throws IOException {
        for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(card.getInetAddresses())) {
                if (family.isInstance(address)
                        && !address.isLoopbackAddress()
                        && address.isLinkLocalAddress() == linkLocal) {
                    return address;
                }
            }
        }
        throw new IOException("this host has none: " + name);
    }

    // Clients.

    private static String told(SocketAddress local, SocketAddress remote, String read) {
        InetSocketAddress own = (InetSocketAddress) local;
        return host(own) + " to " + host((InetSocketAddress) remote) + ": "
                + read.replace(":" + own.getPort() + " ", ":same ");
    }

    /** {@return with the scope, and the name if it is known} */
    private static String host(InetSocketAddress address) {
        return address.getAddress().toString();
    }

    private static String socket(SocketAddress bound, InetSocketAddress destination) throws IOException {
        try (Socket socket = new Socket()) {
            return connected(socket, bound, destination);
        }
    }

    private static String adaptor(SocketAddress bound, InetSocketAddress destination) throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            return connected(channel.socket(), bound, destination);
        }
    }

    private static String connected(Socket socket, SocketAddress bound, InetSocketAddress destination)
            throws IOException {
        if (bound != null) {
            socket.bind(bound);
        }
        socket.connect(destination);
        InputStream in = socket.getInputStream();
        String read = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        return told(socket.getLocalSocketAddress(), socket.getRemoteSocketAddress(), read);
    }

    private static String channel(ProtocolFamily family, SocketAddress bound, InetSocketAddress destination)
            throws IOException {
        try (SocketChannel channel = family == null ? SocketChannel.open() : SocketChannel.open(family)) {
            if (bound != null) {
                channel.bind(bound);
            }
            channel.connect(destination);
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(1000);
            while (channel.read(buffer.clear()) >= 0) {
                read.write(buffer.array(), 0, buffer.position());
            }
            return told(channel.getLocalAddress(), channel.getRemoteAddress(), read.toString(StandardCharsets.UTF_8));
        }
    }

    private static String asynchronous(SocketAddress bound, InetSocketAddress destination) throws Exception {
        try (AsynchronousSocketChannel channel = AsynchronousSocketChannel.open()) {
            if (bound != null) {
                channel.bind(bound);
            }
            channel.connect(destination).get();
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(1000);
            while (channel.read(buffer.clear()).get() >= 0) {
                read.write(buffer.array(), 0, buffer.position());
            }
            return told(channel.getLocalAddress(), channel.getRemoteAddress(), read.toString(StandardCharsets.UTF_8));
        }
    }

    // Listeners.

    private static Listener listener(String kind, String name) throws IOException {
        return switch (kind) {
            case "socket" -> socketListener(name);
            case "channel" -> channelListener(name, ServerSocketChannel.open());
            case "channel4" -> channelListener(name, ServerSocketChannel.open(StandardProtocolFamily.INET));
            case "channel6" -> channelListener(name, ServerSocketChannel.open(StandardProtocolFamily.INET6));
            case "asynchronous" -> asynchronousListener(name);
            default -> throw new AssertionError(kind);
        };
    }

    /** {@return for the client: who serves it, its address with the port, and the local one} */
    private static byte[] seen(String name, SocketAddress remote, SocketAddress local) {
        InetSocketAddress client = (InetSocketAddress) remote;
        return (name + " sees " + host(client) + ":" + client.getPort() + " at " + host((InetSocketAddress) local))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static Listener socketListener(String name) throws IOException {
        ServerSocket socket = new ServerSocket();
        return new Listener() {
            @Override
            public InetSocketAddress bind(InetSocketAddress address) throws IOException {
                socket.bind(address);
                return (InetSocketAddress) socket.getLocalSocketAddress();
            }

            @Override
            public void serve() throws IOException {
                try (Socket client = socket.accept()) {
                    client.getOutputStream()
                            .write(seen(name, client.getRemoteSocketAddress(), client.getLocalSocketAddress()));
                }
            }

            @Override
            public void close() throws IOException {
                socket.close();
            }
        };
    }

    private static Listener channelListener(String name, ServerSocketChannel channel) {
        return new Listener() {
            @Override
            public InetSocketAddress bind(InetSocketAddress address) throws IOException {
                return (InetSocketAddress) channel.bind(address).getLocalAddress();
            }

            @Override
            public void serve() throws IOException {
                try (SocketChannel client = channel.accept()) {
                    client.write(ByteBuffer.wrap(seen(name, client.getRemoteAddress(), client.getLocalAddress())));
                }
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    private static Listener asynchronousListener(String name) throws IOException {
        AsynchronousServerSocketChannel channel = AsynchronousServerSocketChannel.open();
        return new Listener() {
            @Override
            public InetSocketAddress bind(InetSocketAddress address) throws IOException {
                return (InetSocketAddress) channel.bind(address).getLocalAddress();
            }

            @Override
            public void serve() throws Exception {
                try (AsynchronousSocketChannel client = channel.accept().get()) {
                    client.write(ByteBuffer.wrap(seen(name, client.getRemoteAddress(), client.getLocalAddress())))
                            .get();
                }
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }
}
