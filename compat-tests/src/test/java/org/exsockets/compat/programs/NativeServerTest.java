package org.exsockets.compat.programs;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.TimeLimit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Java client of a server that is no Java program: with the agent it does the same work, over TCP, with the reason counted. */
@Tag("programs")
@TimeLimit(LONG)
abstract class NativeServerTest {
    private final Driver client;

    NativeServerTest(Driver client) {
        this.client = client;
    }

    /**
     * Starts the server, new and empty.
     *
     * @param directory for it alone
     * @return it, and what its client is to know
     */
    abstract Serving start(Path directory) throws Exception;

    /** A server that serves. */
    record Serving(NativeServer server, List<String> told) {}

    @Test
    void clientWithTheAgentDoesTheSameWorkOverTcp(@TempDir Path temporary) throws Exception {
        Stage stage = Stage.in(temporary);
        assertEquals(run(stage, false), run(stage, true));
    }

    private List<String> run(Stage stage, boolean agent) throws Exception {
        Path run = stage.newRun(agent ? "agent" : "plain");
        Serving serving = start(run);
        try (NativeServer server = serving.server();
                ProgramJvm working = stage.start(run, "client", agent, client, List.of(), serving.told())) {
            ClientReport report = ClientReport.in(working.awaitEnd());
            assertTrue(server.isAlive(), "the server has ended");
            if (agent) {
                Proof.everythingOverTcp(working, Set.of());
            }
            return report.results();
        }
    }
}
