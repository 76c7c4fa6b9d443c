package org.exsockets.agent.selftest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The servers of a command that listens, as a rule on another host. */
final class OtherHost implements Peer {
    private static final int CONNECT_MS = 10_000;

    private final String address;
    private final Control control;
    private final Map<Transport, int[]> ports = new EnumMap<>(Transport.class);
    private final List<String> about;

    /** @throws IOException for the user: nobody answers, or no such command */
    OtherHost(String host, int port) throws IOException {
        Socket socket = connect(host, port);
        address = socket.getInetAddress().getHostAddress();
        control = new Control(socket);
        try {
            control.greet();
            List<List<String>> texts = control.receiveUntil(Control.READY, Control.PORTS, Control.ABOUT);
            about = texts.get(1);
            int[] numbers = Arrays.stream(String.join(" ", texts.get(0)).split(" "))
                    .mapToInt(Integer::parseInt)
                    .toArray();
            for (Transport transport : Transport.values()) {
                int first = transport.ordinal() * Face.LISTENERS;
                ports.put(transport, Arrays.copyOfRange(numbers, first, first + Face.LISTENERS));
            }
        } catch (IOException e) {
            control.close();
            throw e;
        }
    }

    private static Socket connect(String host, int port) throws IOException {
        IOException failure = null;
        try {
            for (InetAddress each : InetAddress.getAllByName(host)) {
                Socket socket = new Socket();
                try {
                    socket.connect(new InetSocketAddress(each, port), CONNECT_MS);
                    return socket;
                } catch (IOException e) {
                    socket.close();
                    failure = e;
                }
            }
        } catch (UnknownHostException e) {
            throw new IOException(host + " has no address; check the name, and the name service", e);
        }
        throw new IOException(
                "nobody answers at " + host + ", port " + port + ": " + (failure == null ? "" : failure.getMessage())
                        + "; start there: java -jar exs-agent.jar selftest --listen "
                        + (port == Options.DEFAULT_PORT ? "" : port),
                failure);
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public int[] ports(Transport transport) {
        return ports.get(transport);
    }

    @Override
    public long cpuNs(Transport transport) {
        return 0;
    }

    @Override
    public List<String> about() {
        return about;
    }

    @Override
    public Remains end() throws IOException {
        control.send(Control.END);
        List<List<String>> texts = control.receiveUntil(Control.OVER, Control.STATISTICS, Control.SAID);
        return new Remains(texts.get(0), texts.get(1));
    }

    @Override
    public void close() throws IOException {
        control.close();
    }
}
