package org.exsockets.compat.programs;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.TimeLimit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server and its client, over each combination of sides. The client checks what it gets and says it; here that is
 * compared with what a client got over TCP. Then both JVMs must end by themselves and leave nothing.
 */
@Tag("programs")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TimeLimit(LONG)
abstract class ProgramTest {
    private final Driver server;
    private final Driver client;
    private Stage stage;
    private Run overTcp;

    /** What the client has got, and how long it took, its JVM's start and end included. */
    private record Run(List<String> results, long clientMs) {}

    ProgramTest(Driver server, Driver client) {
        this.server = server;
        this.client = client;
    }

    /** {@return further options of both JVMs} */
    List<String> options() {
        return List.of();
    }

    /** {@return reasons for TCP that the program gives rise to by itself, besides that which the sides give} */
    Set<String> otherReasons() {
        return Set.of();
    }

    @BeforeAll
    void prepare(@TempDir Path temporary) throws Exception {
        stage = Stage.in(temporary);
    }

    @ParameterizedTest(name = "agent at {0}")
    @EnumSource(Sides.class)
    void doesTheSameWork(Sides sides) throws Exception {
        Run run = run(sides);
        if (overTcp == null) {
            overTcp = sides == Sides.NEITHER ? run : run(Sides.NEITHER);
        }
        assertEquals(overTcp.results, run.results);
        System.out.printf(
                "%s, agent at %s: %d ms, TCP %d ms%n",
                getClass().getSimpleName(), sides, run.clientMs, overTcp.clientMs);
    }

    /** Runs both to their ends, and checks what the bytes went over. */
    private Run run(Sides sides) throws Exception {
        Path run = stage.newRun(sides.name());
        try (ProgramJvm serving = stage.start(run, "server", sides.serverHasAgent, server, options(), List.of())) {
            List<String> told = List.of(serving.await("serving").split(" "));
            long startNs = System.nanoTime();
            try (ProgramJvm working = stage.start(run, "client", sides.clientHasAgent, client, options(), told)) {
                ClientReport report = report(working, serving);
                long clientMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
                serving.end();
                serving.awaitEnd();
                switch (sides) {
                    case BOTH -> Proof.everythingOverExs(serving, working, report, otherReasons());
                    case SERVER -> Proof.clientsOverTcp(serving, otherReasons());
                    case CLIENT -> Proof.everythingOverTcp(working, otherReasons());
                    case NEITHER -> {}
                }
                return new Run(report.results(), clientMs);
            }
        }
    }

    private static ClientReport report(ProgramJvm client, ProgramJvm server) throws Exception {
        try {
            return ClientReport.in(client.awaitEnd());
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + server.lastWords(), e);
        }
    }
}
