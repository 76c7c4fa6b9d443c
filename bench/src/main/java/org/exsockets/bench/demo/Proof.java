package org.exsockets.bench.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether a pair's bytes went over EXS, judged by what both JVMs counted and by what the client knows it moved.
 *
 * @param workload which program
 * @param server the server's statistics
 * @param client the client's statistics
 * @param bytesToServer payload the client sent
 * @param bytesToClient payload the client received
 */
record Proof(Workload workload, ExsStats server, ExsStats client, long bytesToServer, long bytesToClient) {
    /**
     * H2's server connects to itself once to see whether it is up, and counts those bytes too; the other servers
     * speak with the client only.
     */
    private static final long H2_SELF_CHECK_BYTES = 4_096;

    /** {@return what is wrong, one sentence each; empty if the bytes went over EXS} */
    List<String> objections() {
        List<String> objections = new ArrayList<>();
        objectToConnections(objections, workload.serverName() + " server", server);
        objectToConnections(objections, workload.clientName(), client);
        objectToBytes(objections, "to the server", bytesToServer, client.sentBytes(), server.receivedBytes());
        objectToBytes(objections, "to the client", bytesToClient, client.receivedBytes(), server.sentBytes());
        return objections;
    }

    private void objectToConnections(List<String> objections, String side, ExsStats stats) {
        if (stats.exsConnections() == 0) {
            objections.add(side + ": no connection over EXS: tcp=" + stats.tcpConnections() + ", fallbacks="
                    + stats.fallbacks());
        }
    }

    private void objectToBytes(
            List<String> objections, String direction, long payloadBytes, long atClientBytes, long atServerBytes) {
        long extraBytes = workload == Workload.H2 ? H2_SELF_CHECK_BYTES : 0;
        if (atServerBytes < atClientBytes || atServerBytes > atClientBytes + extraBytes) {
            objections.add(workload.serverName() + ": bytes " + direction + " over EXS differ: client=" + atClientBytes
                    + ", server=" + atServerBytes);
        }
        boolean complete = workload == Workload.NETTY ? atClientBytes == payloadBytes : atClientBytes >= payloadBytes;
        if (!complete) {
            objections.add(workload.serverName() + ": not all bytes " + direction + " went over EXS: over EXS="
                    + atClientBytes + ", payload moved=" + payloadBytes);
        }
    }
}
