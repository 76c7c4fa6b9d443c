package org.exsockets.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProofTest {
    private static final long TO_SERVER = 1_000;
    private static final long TO_CLIENT = 3_000;

    private static ExsStats stats(long connections, long sentBytes, long receivedBytes) {
        return new ExsStats(connections, 0, sentBytes, receivedBytes, new TreeMap<>());
    }

    private static List<String> objections(Workload workload, ExsStats server, ExsStats client) {
        return new Proof(workload, server, client, TO_SERVER, TO_CLIENT).objections();
    }

    @Test
    void acceptsBytesThatBothSidesCounted() {
        assertEquals(
                List.of(), objections(Workload.NETTY, stats(1, TO_CLIENT, TO_SERVER), stats(1, TO_SERVER, TO_CLIENT)));
    }

    @Test
    void acceptsProtocolBytesAroundThePayload() {
        assertEquals(
                List.of(),
                objections(
                        Workload.JETTY,
                        stats(1, TO_CLIENT + 500, TO_SERVER + 200),
                        stats(1, TO_SERVER + 200, TO_CLIENT + 500)));
    }

    @Test
    void refusesProtocolBytesWhereThePayloadIsAll() {
        List<String> objections =
                objections(Workload.NETTY, stats(1, TO_CLIENT, TO_SERVER + 1), stats(1, TO_SERVER + 1, TO_CLIENT));

        assertEquals(1, objections.size(), objections::toString);
    }

    @Test
    void refusesASideWithoutConnections() {
        List<String> objections =
                objections(Workload.JETTY, stats(0, TO_CLIENT, TO_SERVER), stats(1, TO_SERVER, TO_CLIENT));

        assertEquals(1, objections.size(), objections::toString);
        assertTrue(objections.get(0).startsWith("Jetty server: no connection over EXS"), objections::toString);
    }

    @Test
    void refusesPayloadThatWentAnotherWay() {
        List<String> objections =
                objections(Workload.JETTY, stats(1, TO_CLIENT - 1, TO_SERVER), stats(1, TO_SERVER, TO_CLIENT - 1));

        assertEquals(1, objections.size(), objections::toString);
        assertTrue(objections.get(0).contains("not all bytes to the client"), objections::toString);
    }

    @Test
    void refusesSidesThatCountedDifferently() {
        List<String> objections =
                objections(Workload.JETTY, stats(1, TO_CLIENT, TO_SERVER + 1), stats(1, TO_SERVER, TO_CLIENT));

        assertEquals(1, objections.size(), objections::toString);
        assertTrue(objections.get(0).contains("differ"), objections::toString);
    }

    @Test
    void toleratesThatH2ChecksItself() {
        assertEquals(
                List.of(),
                objections(Workload.H2, stats(1, TO_CLIENT + 100, TO_SERVER), stats(1, TO_SERVER, TO_CLIENT)));
    }
}
