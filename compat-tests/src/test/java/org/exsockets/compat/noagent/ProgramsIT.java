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
    private static final String OPEN = "java.base/java.nio.channels.spi=ALL-UNNAMED";

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
    void everyKindOfChannelIsSelectedThroughWrappers(Jdk jdk, @TempDir Path directory) throws Exception {
        assertEveryKind(start(jdk, List.of(), EveryKind.class, directory.toString()), "org.exsockets.nio");
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfChannelIsTheJdksWhereItsPackageIsOpen(Jdk jdk, @TempDir Path directory) throws Exception {
        assertEveryKind(start(jdk, List.of("--add-opens", OPEN), EveryKind.class, directory.toString()), "sun.nio.ch");
    }

    private static void assertEveryKind(ProgramJvm program, String pipePackage) throws Exception {
        assertSelected(program, pipePackage);
        String printed = program.end();
        assertEquals(2, Transport.connections(printed, "soft"), printed);
        assertEquals(0, Transport.connections(printed, "tcp"), printed);
    }

    private static void assertSelected(ProgramJvm program, String pipePackage) throws Exception {
        assertEquals("pipe=" + pipePackage, program.line());
        assertEquals("kinds=4", program.line());
        assertEquals("descriptors=0", program.line());
    }

    @Test
    void everythingIsTheJdksWhereExsIsSwitchedOff(@TempDir Path directory) throws Exception {
        ProgramJvm program =
                start(Jdk.OF_THE_TESTS, List.of("-Dexs.enabled=false"), EveryKind.class, directory.toString());
        assertSelected(program, "sun.nio.ch");
        assertEquals("", program.errorsAtEnd());
    }

    @Test
    void everythingIsTheJdksAfterAWarningWhereASettingIsWrong(@TempDir Path directory) throws Exception {
        ProgramJvm program =
                start(Jdk.OF_THE_TESTS, List.of("-Dexs.devise=soft"), EveryKind.class, directory.toString());
        assertSelected(program, "sun.nio.ch");
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
        ProgramJvm jvm = ProgramJvm.start(jdk.home(), options, program, arguments);
        started.add(jvm);
        return jvm;
    }
}
