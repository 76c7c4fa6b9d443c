package org.exsockets.bench.demo;

import java.util.List;

/** A real program and its client, and the steps the client goes through. */
enum Workload {
    JETTY(
            "Jetty",
            "JDK HttpClient",
            "org.exsockets.bench.demo.program.JettyServer",
            List.of(),
            "org.exsockets.bench.demo.program.JettyClient",
            List.of(
                    new Step("get-1", "Jetty: GET 128 B, one at a time", Unit.OPERATIONS, 5_000, 1_000),
                    new Step("get-8", "Jetty: GET 128 B, 8 at a time", Unit.OPERATIONS, 10_000, 2_000),
                    new Step("download", "Jetty: download of %s", Unit.MEBIBYTES, 1_024, 128))),
    H2(
            "H2",
            "H2 JDBC driver",
            "org.h2.tools.Server",
            List.of("-tcp", "-tcpPort", "0", "-ifNotExists"),
            "org.exsockets.bench.demo.program.H2Client",
            List.of(
                    new Step("insert", "H2: INSERT, row by row", Unit.OPERATIONS, 12_000, 2_000),
                    new Step("select-4", "H2: SELECT by key, 4 connections", Unit.OPERATIONS, 20_000, 4_000),
                    new Step("scan", "H2: SELECT of the whole table", Unit.OPERATIONS, 120_000, 20_000))),
    NETTY(
            "Netty",
            "Netty client",
            "org.exsockets.bench.demo.program.NettyServer",
            List.of(),
            "org.exsockets.bench.demo.program.NettyClient",
            List.of(
                    new Step("echo-1", "Netty: echo 64 B, one connection", Unit.OPERATIONS, 20_000, 5_000),
                    new Step("echo-16", "Netty: echo 64 B, 16 connections", Unit.OPERATIONS, 64_000, 16_000),
                    new Step("stream", "Netty: echo of a %s stream", Unit.MEBIBYTES, 256, 64)));

    private final String serverName;
    private final String clientName;
    private final String serverClass;
    private final List<String> serverArguments;
    private final String clientClass;
    private final List<Step> steps;

    Workload(
            String serverName,
            String clientName,
            String serverClass,
            List<String> serverArguments,
            String clientClass,
            List<Step> steps) {
        this.serverName = serverName;
        this.clientName = clientName;
        this.serverClass = serverClass;
        this.serverArguments = serverArguments;
        this.clientClass = clientClass;
        this.steps = steps;
    }

    String serverName() {
        return serverName;
    }

    String clientName() {
        return clientName;
    }

    String serverClass() {
        return serverClass;
    }

    List<String> serverArguments() {
        return serverArguments;
    }

    String clientClass() {
        return clientClass;
    }

    List<Step> steps() {
        return steps;
    }

    /** What a step's operations are. */
    enum Unit {
        OPERATIONS,
        MEBIBYTES
    }

    /**
     * One measured step.
     *
     * @param name what the client calls it
     * @param title what the table calls it; {@code %s} stands for the amount of data
     * @param operations how many of the unit in a full run
     * @param shortOperations how many of the unit in a short run
     */
    record Step(String name, String title, Unit unit, int operations, int shortOperations) {
        int operations(boolean brief) {
            return brief ? shortOperations : operations;
        }

        /** {@return the title for a run of so many operations} */
        String title(int operations) {
            return String.format(title, operations % 1_024 == 0 ? operations / 1_024 + " GB" : operations + " MB");
        }
    }
}
