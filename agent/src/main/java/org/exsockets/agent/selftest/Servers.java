package org.exsockets.agent.selftest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The servers on this host, one for each transport. */
final class Servers implements Peer {
    /** Of all. */
    static final int PORTS = Transport.values().length * Face.LISTENERS;

    private final String address;
    private final Map<Transport, Child> servers = new EnumMap<>(Transport.class);
    private final Map<Transport, int[]> ports = new EnumMap<>(Transport.class);

    /**
     * @param address where they listen
     * @param name of the JVMs, which the transport's follows
     * @param first of {@link #PORTS} ports; 0: any
     */
    Servers(Workplace workplace, String address, String name, int first) throws IOException {
        this.address = address;
        try {
            int next = first;
            for (Transport transport : Transport.values()) {
                Child server = new Child(
                        workplace,
                        transport,
                        name + "-" + transport.key(),
                        Server.class,
                        address,
                        Integer.toString(next));
                servers.put(transport, server);
                String[] found = server.answer("start");
                int[] numbers = new int[Face.LISTENERS];
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = Integer.parseInt(found[i]);
                }
                ports.put(transport, numbers);
                next += first == 0 ? 0 : Face.LISTENERS;
            }
        } catch (IOException e) {
            close();
            throw e;
        }
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
        return servers.get(transport).cpuNs();
    }

    @Override
    public List<String> about() {
        return List.of();
    }

    @Override
    public Remains end() throws IOException {
        close();
        List<String> statistics = new ArrayList<>();
        List<String> said = new ArrayList<>();
        for (Child server : servers.values()) {
            server.statistics().lines().forEach(statistics::add);
            said.addAll(server.said());
        }
        return new Remains(statistics, said);
    }

    @Override
    public void close() throws IOException {
        for (Child server : servers.values()) {
            server.close();
        }
    }
}
