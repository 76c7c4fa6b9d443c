package org.exsockets.compat.programs;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.TimeLimit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Aeron uses no TCP, but its pollers, Agrona's, set fields of the JDK's selectors: messages by IPC and UDP arrive with the
 * agent as without it.
 */
@Tag("programs")
@TimeLimit(LONG)
final class AeronIT {
    private static final Driver MESSAGES = new Driver("aeron", "AeronMessages");
    private static final List<String> OPENED = List.of("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

    @Test
    void messagesArriveAsWithoutTheAgent(@TempDir Path temporary) throws Exception {
        Stage stage = Stage.in(temporary);
        List<String> without = results(stage, false);
        assertEquals(2, without.size());
        assertTrue(without.get(0).startsWith("result "), without.get(0));
        assertEquals(without, results(stage, true));
    }

    private static List<String> results(Stage stage, boolean agent) throws Exception {
        Path run = stage.newRun(agent ? "agent" : "plain");
        try (ProgramJvm program = stage.start(run, "program", agent, MESSAGES, OPENED, List.of())) {
            List<String> results = program.awaitEnd().stream()
                    .filter(line -> line.startsWith("result "))
                    .toList();
            return results;
        }
    }
}
