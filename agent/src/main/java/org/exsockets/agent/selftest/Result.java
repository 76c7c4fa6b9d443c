package org.exsockets.agent.selftest;

import java.util.ArrayList;
import java.util.List;

/** What a test has found, as far as it came. Filled by one thread. */
final class Result {
    /** On this machine. */
    final List<String> about = new ArrayList<>();

    /** On the other host; empty: there is none. */
    final List<String> aboutPeer = new ArrayList<>();

    /** What EXS could use. */
    final List<String> capabilities = new ArrayList<>();

    final List<Checked> checks = new ArrayList<>();
    final List<Measured> rows = new ArrayList<>();
    final List<String> adapters = new ArrayList<>();

    /** Of the JVMs with the agent, lines of JSON: clients, and servers. */
    final List<String> statistics = new ArrayList<>();

    final List<String> statisticsThere = new ArrayList<>();

    /** Lines that JVMs wrote on standard error. */
    final List<String> said = new ArrayList<>();

    /** How many connections clients with the agent made. */
    long made;

    /** Why the test came to no end; empty: it did. */
    String failure = "";

    /** @param wrong empty: all was right */
    record Checked(Face face, Transport transport, int bytes, String wrong) {}

    Usage usage() {
        return Usage.of(made, statistics, statisticsThere);
    }
}
