package org.exsockets.compat.noagent;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.noagent.programs.Echo;
import org.exsockets.compat.noagent.programs.EveryFace;
import org.exsockets.compat.noagent.programs.EveryKind;
import org.exsockets.compat.noagent.programs.FirstUse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole programs without the agent, on the JDK of the tests and on JDK 25. */
@Tag("noagent")
@TimeLimit(LONG)
class ProgramsIT {
    /** The JDKs the programs run on. */
    enum Jdk {
        OF_THE_TESTS,
        JDK_25;

        Path home() throws Exception {
            if (this == OF_THE_TESTS) {
                return Path.of(System.getProperty("java.home"));
            }
            Path installed = Path.of("/usr/lib/jvm");
            assumeTrue(Files.isDirectory(installed), "JDK 25 is looked for in " + installed);
            try (Stream<Path> homes = Files.list(installed)) {
                List<Path> found = homes.filter(Jdk::isJdk25).toList();
                assumeTrue(!found.isEmpty(), "no JDK 25 in " + installed);
                return found.get(0);
            }
        }

        private static boolean isJdk25(Path home) {
            try {
                return Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"25");
            } catch (IOException notAJdk) {
                return false;
            }
        }
    }

    private final List<ProgramJvm> started = new ArrayList<>();

    @AfterEach
    void endPrograms() {
        started.forEach(ProgramJvm::close);
    }

    @ParameterizedTest
    @CsvSource({"OF_THE_TESTS,nio", "OF_THE_TESTS,net", "JDK_25,nio", "JDK_25,net"})
    void twoProcessesTalkOverExs(Jdk jdk, String face) throws Exception {
        ProgramJvm server = start(jdk, List.of(), Echo.class, face, "server");
        ProgramJvm client = start(jdk, List.of(), Echo.class, face, "client", server.line());
        assertEquals("echoed", client.line());
        for (String printed : List.of(client.end(), server.end())) {
            assertEquals(1, Transport.connections(printed, "soft"), printed);
            assertEquals(0, Transport.connections(printed, "tcp"), printed);
            assertEquals(100_000, Transport.bytes(printed, "sent"), printed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfChannelIsSelected(Jdk jdk, @TempDir Path directory) throws Exception {
        ProgramJvm program = start(jdk, List.of(), EveryKind.class, directory.toString());
        assertSelected(program);
        assertOverExs(program.end(), 2);
    }

    @ParameterizedTest
    @EnumSource
    void everyFaceIsExsWithTheOption(Jdk jdk) throws Exception {
        ProgramJvm program = start(jdk, List.of(), EveryFace.class);
        assertEquals("org.exsockets.aio org.exsockets.nio org.exsockets.nio.select", program.line());
        assertEquals("exchanged 60000", program.line());
        assertOverExs(program.end(), 6);
    }

    private static void assertOverExs(String statistics, int connections) {
        assertEquals(connections, Transport.connections(statistics, "soft"), statistics);
        assertEquals(0, Transport.connections(statistics, "tcp"), statistics);
    }

    @ParameterizedTest
    @EnumSource
    void everyFaceIsTheJdksWithoutTheOptionWhichIsSaidOnce(Jdk jdk) throws Exception {
        ProgramJvm program = startClosed(jdk, List.of(), EveryFace.class);
        assertEquals("sun.nio.ch", program.line());
        assertEquals("exchanged 60000", program.line());
        String printed = program.errorsAtEnd();
        List<String> lines = printed.lines().toList();
        assertEquals(2, lines.size(), printed);
        assertEquals(
                "exs: warn: without the agent EXS needs the JDK's package java.nio.channels.spi open; start Java with "
                        + String.join(" ", ProgramJvm.OPEN) + "; running on plain TCP",
                lines.get(0));
        assertOverExs(lines.get(1), 0);
        assertTrue(lines.get(1).contains("\"fallbacks\":{\"option-missing\":3}"), printed);
    }

    @Test
    void nothingIsSaidOfTheOptionWhereNothingAsksForIt() throws Exception {
        ProgramJvm off = startClosed(Jdk.OF_THE_TESTS, List.of("-Dexs.enabled=false"), EveryFace.class);
        assertEquals("sun.nio.ch", off.line());
        assertEquals("exchanged 60000", off.line());
        assertEquals("", off.errorsAtEnd());
    }

    private static void assertSelected(ProgramJvm program) throws Exception {
        assertEquals("pipe=sun.nio.ch", program.line());
        assertEquals("kinds=4", program.line());
        assertEquals("descriptors=0", program.line());
    }

    @Test
    void everythingIsTheJdksWhereExsIsSwitchedOff(@TempDir Path directory) throws Exception {
        ProgramJvm program =
                start(Jdk.OF_THE_TESTS, List.of("-Dexs.enabled=false"), EveryKind.class, directory.toString());
        assertSelected(program);
        assertEquals("", program.errorsAtEnd());
    }

    @Test
    void everythingIsTheJdksAfterAWarningWhereASettingIsWrong(@TempDir Path directory) throws Exception {
        ProgramJvm program =
                start(Jdk.OF_THE_TESTS, List.of("-Dexs.devise=soft"), EveryKind.class, directory.toString());
        assertSelected(program);
        String printed = program.errorsAtEnd();
        assertTrue(printed.startsWith("exs: warn: ") && printed.contains("exs.devise"), printed);
    }

    @ParameterizedTest
    @EnumSource
    void manyThreadsMayUseTheProviderFirst(Jdk jdk) throws Exception {
        ProgramJvm program = start(jdk, List.of(), FirstUse.class);
        assertEquals("first uses: 5", program.line());
        program.end();
    }

    private ProgramJvm start(Jdk jdk, List<String> options, Class<?> program, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(ProgramJvm.OPEN);
        all.addAll(options);
        return startClosed(jdk, all, program, arguments);
    }

    /** Starts one without the option. */
    private ProgramJvm startClosed(Jdk jdk, List<String> options, Class<?> program, String... arguments)
            throws Exception {
        ProgramJvm jvm = ProgramJvm.start(jdk.home(), options, program, arguments);
        started.add(jvm);
        return jvm;
    }
}
