package org.exsockets.verbs.soft.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.exsockets.jdk.DescriptorPoll;
import org.exsockets.verbs.soft.host.UnixSockets;
import org.junit.jupiter.api.Test;

class ClientPortsTest {
    private static final int FIRST = 32_768;
    private static final int LAST = 60_999;
    private static final int SERVER_PORT = 7801;

    private final ClientPorts ports = new ClientPorts(new int[] {FIRST, LAST});

    private static boolean isEphemeral(int port) {
        return port >= FIRST && port <= LAST;
    }

    @Test
    void allNumbersThatLinuxDoesNotGiveAwayAreTakenOnce() {
        Set<Integer> taken = new HashSet<>();
        for (int port; (port = ports.take(SERVER_PORT)) != 0; ) {
            assertTrue(port >= 10_000 && port < 65_536 && port % 2 == 0, "port " + port);
            assertFalse(isEphemeral(port), "port " + port);
            assertTrue(taken.add(port), "port " + port);
        }
        assertEquals((FIRST - 10_000) / 2 + (65_536 - LAST) / 2, taken.size());
        taken.forEach(ports::giveBack);
        assertTrue(taken.contains(ports.take(SERVER_PORT)));
    }

    @Test
    void aClientCanHaveThePortsThatTheKernelLetsItHave() throws Exception {
        DescriptorPoll.require();
        for (int port : new int[] {0, 1_024, 65_535}) {
            assertTrue(ClientPorts.mayHave(port));
        }
        String start = Files.readString(Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start"));
        boolean root = UnixSockets.effectiveUser() == 0;
        assertEquals(root || Integer.parseInt(start.trim()) <= 22, ClientPorts.mayHave(22));
    }

    @Test
    void aNumberThatWasGivenBackComesLast() {
        int first = ports.take(SERVER_PORT);
        ports.giveBack(first);
        for (int i = 0; i < 10_000; i++) {
            int port = ports.take(SERVER_PORT);
            assertNotEquals(first, port);
            ports.giveBack(port);
        }
    }

    @Test
    void clientsAndServersThatKeepNothingChooseDifferentNumbers() {
        for (int i = 0; i < 30_000; i++) {
            int client = ports.any(true, SERVER_PORT);
            assertTrue(client % 2 == 1 && !isEphemeral(client), "port " + client);
            int server = ports.any(false, SERVER_PORT);
            assertTrue(server % 2 == 0 && !isEphemeral(server), "port " + server);
            assertNotEquals(client, ports.any(true, SERVER_PORT));
        }
    }

    @Test
    void whereLinuxGivesAwayAlmostEverythingNothingCanBeTaken() {
        ClientPorts few = new ClientPorts(new int[] {1024, 65_535});
        assertEquals(0, few.take(SERVER_PORT));
        int any = few.any(true, SERVER_PORT);
        assertTrue(any > 10_000 && any < 65_536, "port " + any);
    }

    @Test
    void rangesWithOddBoundsAreKeptOutOf() {
        ClientPorts odd = new ClientPorts(new int[] {32_769, 60_001});
        for (int i = 0; i < 30_000; i++) {
            int client = odd.any(true, SERVER_PORT);
            assertTrue(client < 32_769 || client > 60_001, "port " + client);
        }
    }

    @Test
    void aClientIsNotAtThePortThatItIsConnectedTo() {
        for (int i = 0; i < 30_000; i++) {
            assertNotEquals(16_020, ports.any(false, 16_020));
            assertNotEquals(16_021, ports.any(true, 16_021));
        }
        for (int port; (port = ports.take(16_020)) != 0; ) {
            assertNotEquals(16_020, port);
        }
        assertEquals(16_020, ports.take(SERVER_PORT));
    }

    @Test
    void whatAServerKeepsIsNotToldByAnotherOfItsConnections() {
        int kept = ports.take(SERVER_PORT);
        for (int i = 0; i < 30_000; i++) {
            assertNotEquals(kept, ports.any(false, SERVER_PORT));
        }
    }

    @Test
    void eachProcessHasAnOrderOfItsOwn() {
        // Two of a hundred may start in the same place, or go on by the same stride; both, and for all of them, is a
        // defect.
        Set<List<Integer>> orders = new HashSet<>();
        Set<Integer> starts = new HashSet<>();
        for (int process = 0; process < 100; process++) {
            ClientPorts of = new ClientPorts(new int[] {FIRST, LAST});
            List<Integer> order = List.of(of.take(0), of.take(0), of.take(0));
            orders.add(order);
            starts.add(order.get(0));
        }
        assertEquals(100, orders.size());
        assertTrue(starts.size() > 90, starts.size() + " starts of 100 processes");
    }
}
