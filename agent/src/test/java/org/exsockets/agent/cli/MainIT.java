package org.exsockets.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands of the jar, on each JDK under test. */
class MainIT {
    /** Takes a second; less than the limit of a test in {@code junit-platform.properties}. */
    private static final long LIMIT_SECONDS = 600;

    @TempDir
    Path directory;

    private record Outcome(int status, String printed) {
        void assertPrinted(String text) {
            assertTrue(printed.contains(text), printed);
        }
    }

    static Stream<Path> jdks() {
        Stream<String> further =
                Arrays.stream(System.getProperty("exs.test.jdks", "").split(","));
        return Stream.concat(Stream.of(System.getProperty("java.home")), further)
                .filter(home -> !home.isBlank())
                .map(Path::of);
    }

    /** Both streams in one: a warning of the JVM would show. */
    private static Outcome run(Path jdk, List<String> jvmArguments, String... arguments) throws Exception {
        return run(jdk, Map.of(), jvmArguments, arguments);
    }

    private static Outcome run(
            Path jdk, Map<String, String> environment, List<String> jvmArguments, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>(List.of(jdk.resolve("bin/java").toString()));
        command.addAll(jvmArguments);
        command.addAll(List.of("-jar", System.getProperty("exs.test.jar")));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("EXS_") || name.endsWith("JAVA_OPTIONS"));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), () -> "machine too slow or hung: " + printed);
            return new Outcome(process.exitValue(), printed);
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void withoutACommandTheUsageIsPrinted(Path jdk) throws Exception {
        Outcome outcome = run(jdk, List.of());
        assertEquals(0, outcome.status);
        outcome.assertPrinted("-javaagent:exs-agent.jar");
        outcome.assertPrinted("doctor [HOST[:PORT]]");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void anUnknownCommandIsWrongUsage(Path jdk) throws Exception {
        Outcome outcome = run(jdk, List.of(), "docter");
        assertEquals(2, outcome.status);
        outcome.assertPrinted("unknown command 'docter'");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theDoctorLooksAtBothDevicesAndFinishesWell(Path jdk) throws Exception {
        Outcome outcome = run(jdk, List.of("-Dexs.buffer=1m"), "doctor", "127.0.0.1:1");
        assertEquals(0, outcome.status, outcome.printed);
        outcome.assertPrinted("  * exs.buffer=1048576");
        outcome.assertPrinted("Shared memory (soft)");
        outcome.assertPrinted("kernel module ib_uverbs");
        outcome.assertPrinted("A connect to 127.0.0.1:1 would use TCP.");
        assertEquals(-1, outcome.printed.indexOf("WARNING"), outcome.printed);
    }

    /** As where it is not installed: the dynamic linker takes the first file of the name, which is none of a library. */
    @ParameterizedTest
    @MethodSource("jdks")
    void theDoctorAdvisesToInstallWhatAdaptersLack(Path jdk) throws Exception {
        Files.createFile(directory.resolve("librdmacm.so.1"));
        Outcome outcome = run(jdk, Map.of("LD_LIBRARY_PATH", directory.toString()), List.of(), "doctor");
        outcome.assertPrinted("Install rdma-core's libraries: apt-get install");
        assertEquals(-1, outcome.printed.indexOf("noexec"), outcome.printed);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theDoctorNamesTheOptionThatAProgramWithoutTheAgentLacks(Path jdk) throws Exception {
        String provider = "-Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider";
        String option = "--add-opens java.base/java.nio.channels.spi=ALL-UNNAMED";
        Outcome without = run(jdk, List.of(provider), "doctor");
        assertEquals(1, without.status, without.printed);
        without.assertPrinted("Start Java with " + option);
        Outcome with = run(jdk, List.of(provider, option.replace(' ', '=')), "doctor");
        assertEquals(0, with.status, with.printed);
        assertEquals(-1, with.printed.indexOf(option), with.printed);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theDoctorsStatusTellsProblemsFromWrongUsage(Path jdk) throws Exception {
        assertEquals(1, run(jdk, List.of("-Dexs.bufer=1m"), "doctor").status);
        assertEquals(2, run(jdk, List.of(), "doctor", "a", "b").status);
    }
}
