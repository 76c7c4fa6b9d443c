package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.states.States;
import org.junit.jupiter.api.Test;

/**
 * Every call in every state returns or throws over EXS what it does over TCP: the class, the message and the causes of an
 * exception included.
 *
 * <p>Whether a call blocks is told by a time limit, and rows wait for what a peer has done. So a row that differs is made
 * again, over both, with all times longer; it counts if it differs each time.
 */
final class StatesIT extends SeamTest {
    private static final int FEWEST_ROWS = 6000;
    private static final int FEWEST_CONNECTIONS = 3000;
    private static final int TIMES = 3;

    /** How many times longer than the time before. */
    private static final int LONGER = 4;

    /** The three programs run side by side: most of their time they wait. */
    @Test
    void everyCallDoesInEveryStateWhatItDoesOverTcp() throws Exception {
        List<String> withoutAdapter = List.of("-Dexs.device=disni");
        ProgramJvm plain = begin("plain", Transport.TCP, List.of(), stretch(1), List.of());
        ProgramJvm soft = begin("soft1", Transport.SOFT, List.of(), stretch(1), List.of());
        ProgramJvm tcp = begin("tcp1", Transport.SOFT, withoutAdapter, stretch(1), List.of());
        Map<String, String> overTcp = outcomes(plain);
        assertTrue(overTcp.size() >= FEWEST_ROWS, () -> overTcp.size() + " rows");
        assertAll(
                () -> assertLikeTcp(overTcp, soft, "soft", List.of()),
                () -> assertLikeTcp(overTcp, tcp, "tcp", withoutAdapter));
    }

    /** @param kind of all the program's connections with these options */
    private void assertLikeTcp(Map<String, String> overTcp, ProgramJvm program, String kind, List<String> options)
            throws Exception {
        Map<String, String> different = different(overTcp, outcomes(program));
        assertTrue(connections(kind + 1, kind) > FEWEST_CONNECTIONS, () -> "too few connections: " + kind);
        for (int time = 2; time <= TIMES && !different.isEmpty(); time++) {
            List<String> rows = List.copyOf(different.keySet());
            ProgramJvm plain = begin("plain for " + kind + time, Transport.TCP, List.of(), stretch(time), rows);
            ProgramJvm exs = begin(kind + time, Transport.SOFT, options, stretch(time), rows);
            different = different(outcomes(plain), outcomes(exs));
        }
        assertEquals("", String.join("\n", different.values()));
    }

    private static long stretch(int time) {
        return Patience.lasting(Math.round(Math.pow(LONGER, time - 1)));
    }

    /** {@return what to say of each row that differs} */
    private static Map<String, String> different(Map<String, String> overTcp, Map<String, String> overExs) {
        assertEquals(overTcp.keySet(), overExs.keySet());
        Map<String, String> different = new LinkedHashMap<>();
        overTcp.forEach((row, tcp) -> {
            String exs = overExs.get(row);
            if (!exs.equals(tcp)) {
                different.put(row, row + "\n    TCP: " + tcp + "\n    EXS: " + exs);
            }
        });
        return different;
    }

    private ProgramJvm begin(String name, Transport transport, List<String> options, long stretch, List<String> rows)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of(Long.toString(stretch)));
        arguments.addAll(rows);
        return start(name, transport, options, States.class, arguments.toArray(String[]::new));
    }

    private static Map<String, String> outcomes(ProgramJvm begun) throws Exception {
        try (ProgramJvm jvm = begun) {
            Map<String, String> outcomes = new LinkedHashMap<>();
            for (String line : jvm.awaitEnd()) {
                int end = line.indexOf(": ");
                outcomes.put(line.substring(0, end), line.substring(end + 2));
            }
            return outcomes;
        }
    }

    private long connections(String name, String kind) throws Exception {
        return Transport.connections(Files.readString(directory.resolve(name).resolve("stats")), kind);
    }
}
