package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.AddressTable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of several listeners on one port is reached, and which addresses both ends see, are over EXS those of TCP. */
final class AddressTableIT extends SeamTest {
    private static final int FEWEST_ROWS = 8000;
    private static final int FEWEST_CONNECTIONS = 500;
    private static final Pattern REFUSAL =
            Pattern.compile("java.net.SocketException: (IPv6 p|P)rotocol family unavailable"
                    + "|(java.io.IOException: )?java.nio.channels.UnsupportedAddressTypeException");

    @ParameterizedTest
    @ValueSource(strings = {"-Djava.net.preferIPv6Addresses=false", "-Djava.net.preferIPv4Stack=true"})
    void addressesAreThoseOfTcp(String option) throws Exception {
        ProgramJvm plain = start("plain", Transport.TCP, List.of(option), AddressTable.class);
        ProgramJvm soft = start("soft", Transport.SOFT, List.of(option), AddressTable.class);
        List<String> overTcp = refusals(plain.awaitEnd());
        List<String> overExs = refusals(soft.awaitEnd());
        assertTrue(overTcp.size() >= FEWEST_ROWS, () -> overTcp.size() + " rows");
        assertEquals("", different(overTcp, overExs));
        long connections =
                Transport.connections(Files.readString(directory.resolve("soft").resolve("stats")), "soft");
        assertTrue(connections >= FEWEST_CONNECTIONS, () -> connections + " connections over EXS");
    }

    /** How asynchronous channels refuse an address of IPv6, where the JDK's sockets know none, is one of the differences from TCP. */
    private static List<String> refusals(List<String> lines) {
        return lines.stream()
                .map(line ->
                        line.contains("asynchronous") ? REFUSAL.matcher(line).replaceAll("refused") : line)
                .toList();
    }

    private static String different(List<String> overTcp, List<String> overExs) {
        List<String> different = new ArrayList<>();
        for (int i = 0; i < Math.max(overTcp.size(), overExs.size()); i++) {
            String tcp = i < overTcp.size() ? overTcp.get(i) : "";
            String exs = i < overExs.size() ? overExs.get(i) : "";
            if (!tcp.equals(exs)) {
                different.add("TCP: " + tcp + "\nEXS: " + exs);
            }
        }
        return String.join("\n", different);
    }
}
