package org.exsockets.bench.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.exsockets.bench.e2e.endpoint.Face;
import org.junit.jupiter.api.Test;

/** Which rows and contenders there are of programs that end soon, and what the logs of real runs count. */
class FirstRunTest {
    private static final Transport TCP = new Transport("TCP", null, List.of());
    private static final Transport EXS = new Transport("EXS", Path.of("exs-agent.jar"), List.of("-Dexs.buffer=1m"));
    private static final Transport BASE = new Transport("BASE", Path.of("other.jar"), List.of());

    @Test
    void theGroupHasItsRowsForTheIdleMachine() {
        List<Row> rows = Plan.rows(new Plan.Choice(
                EnumSet.of(Plan.Group.FIRST),
                EnumSet.allOf(Condition.class),
                List.of(Face.values()),
                List.of(64),
                List.of(1024),
                false,
                List.of(100),
                0,
                1,
                1,
                1,
                0.5,
                new PacedRows.Lengths(2, 20, true),
                ""));
        assertEquals(
                List.of(
                        "first: keep",
                        "first: fresh",
                        "first: upload 6 MB",
                        "first: connect",
                        "first: slow readers",
                        "first: a line"),
                rows.stream().map(Row::name).toList());
        assertTrue(rows.stream().noneMatch(Row::depends));
    }

    @Test
    void contendersTellTheStartOfAnAgentFromItsConnections() throws Exception {
        List<Transport> contenders = FirstRun.contenders(List.of(TCP, EXS));
        assertEquals(
                List.of("TCP", "idle agent", "device=none", "EXS"),
                contenders.stream().map(Transport::label).toList());
        assertEquals(
                List.of("-Dexs.buffer=1m", "-Dexs.device=none"),
                contenders.get(2).jvmArgs());
        assertEquals(contenders, FirstRun.contenders(List.of(TCP, EXS)), "the tables look results up by them");
    }

    @Test
    void comparedWithAnotherExsThereIsTcpAsWell() throws Exception {
        assertEquals(
                List.of("BASE", "TCP", "idle agent", "device=none", "EXS"),
                FirstRun.contenders(List.of(BASE, EXS)).stream()
                        .map(Transport::label)
                        .toList());
    }

    @Test
    void theIdleAgentIsAnAgent() throws Exception {
        try (JarFile jar = new JarFile(FirstRun.idleAgentJar().toFile())) {
            String premain = jar.getManifest().getMainAttributes().getValue("Premain-Class");
            assertTrue(jar.getEntry(premain.replace('.', '/') + ".class") != null, premain);
        }
    }

    @Test
    void logsCountOurClassesThoseOutsideTheArchiveAndWhatWasCompiled() {
        FirstRun.Counts counts = new FirstRun.Counts();
        List.of(
                        "[0.011s][info][class,load] java.lang.Object source: shared objects file",
                        "[0.018s][info][class,load] sun.nio.cs.UTF_8$Encoder source: jrt:/java.base",
                        "[0.032s][info ][class,load     ] java.lang.invoke.LambdaForm$MH/0x00007ff16c000400 source: "
                                + "__JVM_LookupDefineClass__",
                        "[0.166s][info ][class,load     ] org.exsockets.agent.bootstrap.JavaBase source: file:/a.jar",
                        "[0.167s][info ][class,load     ] org.exsockets.bench.e2e.endpoint.HelloWorld source: file:/b.jar",
                        "[0.168s][info ][class,load     ] org.exsockets.memory.Region source: shared objects file (top)",
                        "[0.021s][debug][jit,compilation]    2       3       java.lang.String::hashCode (60 bytes)",
                        "[0.055s][debug][jit,compilation]   60     n 0       java.lang.Thread::yield0 (native)   (static)",
                        "[0.056s][debug][jit,compilation]    2       3       java.lang.String::hashCode (60 bytes)   "
                                + "made not entrant")
                .forEach(counts::line);
        Sample sample = counts.addTo(Sample.of(Map.of()));
        assertEquals(2, sample.get("agentClasses"));
        assertEquals(2, sample.get("jdkClasses"));
        assertEquals(1, sample.get("compiledMethods"));
    }
}
