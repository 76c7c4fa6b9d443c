package org.exsockets.compat.esapi;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.esapi.examples.PacketExample;
import org.exsockets.compat.esapi.examples.PlacementExample;
import org.exsockets.compat.esapi.examples.StreamExample;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.TimeLimit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of docs/es-api.md are what it shows, and do what it says, in every way it names of starting them. */
@Tag("esapi")
@TimeLimit(LONG)
class ExamplesIT {
    private static final Path SOURCES = Path.of("src/test/java/org/exsockets/compat/esapi/examples");
    private static final Path MANUAL = Path.of("../docs/es-api.md");
    private static final Path AGENT = Path.of(System.getProperty("compat.agent", "../agent/target/exs-agent.jar"));
    private static final Path PROVIDER = Path.of("../provider/target/exs-provider.jar");

    /** How a program gets the API and what is behind it. */
    enum Way {
        AGENT_ONLY,
        AGENT_JAR_ON_THE_CLASS_PATH,
        PROVIDER_JAR_ON_THE_CLASS_PATH,
        AGENT_AND_PROVIDER_JAR;

        List<String> options() {
            String own = PeerJvm.classes().toString();
            return switch (this) {
                case AGENT_ONLY -> List.of("-javaagent:" + AGENT, "-cp", own);
                case AGENT_JAR_ON_THE_CLASS_PATH -> List.of("-cp", own + File.pathSeparator + AGENT);
                case PROVIDER_JAR_ON_THE_CLASS_PATH -> List.of("-cp", own + File.pathSeparator + PROVIDER);
                case AGENT_AND_PROVIDER_JAR ->
                    List.of("-javaagent:" + AGENT, "-cp", own + File.pathSeparator + PROVIDER);
            };
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"StreamExample", "PacketExample", "PlacementExample"})
    void theManualShowsTheProgram(String name) throws Exception {
        String source = Files.readString(SOURCES.resolve(name + ".java"));
        String shown = "```java\n" + source.substring(source.indexOf("import ")) + "```\n";
        assertTrue(Files.readString(MANUAL).contains(shown), "docs/es-api.md differs from " + name);
    }

    @ParameterizedTest
    @EnumSource
    void streams(Way way) throws Exception {
        assertEquals("received 16777216 bytes over soft\n", run(way, StreamExample.class));
    }

    @ParameterizedTest
    @EnumSource
    void packets(Way way) throws Exception {
        assertEquals("5 of 5 bytes\n10 of 13 bytes, truncated\nend: true\n", run(way, PacketExample.class));
    }

    @ParameterizedTest
    @EnumSource
    void placement(Way way) throws Exception {
        assertEquals("row 5 begins with 42\n", run(way, PlacementExample.class));
    }

    private static String run(Way way, Class<?> program) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.add(ProgramJvm.QUICK);
        command.addAll(way.options());
        command.add(program.getName());
        Path errors = Files.createTempFile("example", ".err");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Patience.await("the program ends", Patience.PROGRAM_SECONDS, process::waitFor);
            assertEquals(0, process.exitValue(), () -> way + ": " + printed + text(errors));
            return printed;
        } finally {
            process.destroyForcibly();
            Files.delete(errors);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
