package org.exsockets.compat.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;

/** What a JVM's connections and bytes went over, by what the agent counted there; after the JVM's end. Stateless. */
final class Proof {
    private static final Pattern FALLBACKS = Pattern.compile("\"fallbacks\":\\{([^}]*)\\}");
    private static final Pattern REASON = Pattern.compile("\"([a-z-]+)\":");

    private Proof() {}

    /**
     * Checks that all connections, with the client's content, went over EXS, by what both sides counted.
     *
     * @param others reasons for TCP that the program gives rise to by attempts that fail
     */
    static void everythingOverExs(ProgramJvm server, ProgramJvm client, ClientReport report, Set<String> others)
            throws IOException {
        onlyExs(server, others);
        onlyExs(client, others);
        atLeast(report.toServerBytes(), client, "sent");
        atLeast(report.toServerBytes(), server, "received");
        atLeast(report.toClientBytes(), client, "received");
        atLeast(report.toClientBytes(), server, "sent");
    }

    private static void onlyExs(ProgramJvm jvm, Set<String> others) throws IOException {
        String statistics = jvm.statistics();
        assertTrue(Transport.connections(statistics, "soft") > 0, jvm::quoted);
        assertEquals(0, Transport.connections(statistics, "tcp"), jvm::quoted);
        assertTrue(others.containsAll(reasons(statistics)), jvm::quoted);
    }

    /** {@return the reasons for TCP that were counted} */
    private static Set<String> reasons(String statistics) {
        Matcher all = FALLBACKS.matcher(statistics);
        assertTrue(all.find(), "no fallbacks in the statistics: " + statistics);
        Set<String> reasons = new TreeSet<>();
        for (Matcher one = REASON.matcher(all.group(1)); one.find(); ) {
            reasons.add(one.group(1));
        }
        return reasons;
    }

    private static void atLeast(long moved, ProgramJvm jvm, String direction) throws IOException {
        assertTrue(
                Transport.bytes(jvm.statistics(), direction) >= moved,
                () -> "of " + moved + " bytes not all were " + direction + " over EXS: " + jvm.quoted());
    }

    /**
     * Checks that a server's clients came over TCP, for this reason; its connections with itself may be EXS's.
     *
     * @param others reasons that may be counted besides
     */
    static void clientsOverTcp(ProgramJvm server, Set<String> others) throws IOException {
        overTcp(server, "peer-plain", others);
    }

    /**
     * Checks that a client's connections went over TCP, all of them, for this reason.
     *
     * @param others reasons that may be counted besides
     */
    static void everythingOverTcp(ProgramJvm client, Set<String> others) throws IOException {
        overTcp(client, "no-listener", others);
        assertEquals(0, Transport.connections(client.statistics(), "soft"), client::quoted);
    }

    private static void overTcp(ProgramJvm jvm, String reason, Set<String> others) throws IOException {
        String statistics = jvm.statistics();
        assertTrue(Transport.connections(statistics, "tcp") > 0, jvm::quoted);
        Set<String> reasons = reasons(statistics);
        assertTrue(reasons.remove(reason), jvm::quoted);
        assertTrue(others.containsAll(reasons), jvm::quoted);
    }
}
