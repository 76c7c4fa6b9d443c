package org.exsockets.compat.noagent;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.ProgramJvm;
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

    private static final String EXCHANGED = "exchanged 60000";
    private static final String[] SELECTED = {"pipe=sun.nio.ch", "kinds=4", "descriptors=0"};

    /** What programs without the agent need, to have EXS. */
    private static final List<String> OPEN = List.of("--add-opens", "java.base/java.nio.channels.spi=ALL-UNNAMED");

    @TempDir
    Path directory;

    private final List<ProgramJvm> started = new ArrayList<>();

    @AfterEach
    void endPrograms() {
        started.forEach(ProgramJvm::close);
    }

    @ParameterizedTest
    @CsvSource({"OF_THE_TESTS,nio", "OF_THE_TESTS,net", "JDK_25,nio", "JDK_25,net"})
    void twoProcessesTalkOverExs(Jdk jdk, String face) throws Exception {
        ProgramJvm server = start(jdk, List.of(), Echo.class, face, "server");
        ProgramJvm client = start(jdk, List.of(), Echo.class, face, "client", server.await("serving"));
        for (String printed : List.of(statistics(client, "echoed"), statistics(server))) {
            assertEquals(1, Transport.connections(printed, "soft"), printed);
            assertEquals(0, Transport.connections(printed, "tcp"), printed);
            assertEquals(100_000, Transport.bytes(printed, "sent"), printed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfChannelIsSelected(Jdk jdk) throws Exception {
        ProgramJvm program = start(jdk, List.of(), EveryKind.class, directory.toString());
        assertOverExs(statistics(program, SELECTED), 2);
    }

    @ParameterizedTest
    @EnumSource
    void everyFaceIsExsWithTheOption(Jdk jdk) throws Exception {
        ProgramJvm program = start(jdk, List.of(), EveryFace.class);
        String packages = "org.exsockets.aio org.exsockets.nio org.exsockets.nio.select";
        assertOverExs(statistics(program, packages, EXCHANGED), 6);
    }

    private static void assertOverExs(String statistics, int connections) {
        assertEquals(connections, Transport.connections(statistics, "soft"), statistics);
        assertEquals(0, Transport.connections(statistics, "tcp"), statistics);
    }

    @ParameterizedTest
    @EnumSource
    void everyFaceIsTheJdksWithoutTheOptionWhichIsSaidOnce(Jdk jdk) throws Exception {
        ProgramJvm program = startClosed(jdk, List.of(), EveryFace.class);
        String printed = errors(program, "sun.nio.ch", EXCHANGED);
        List<String> lines = printed.lines().toList();
        assertEquals(2, lines.size(), printed);
        assertEquals(
                "exs: warn: without the agent EXS needs the JDK's package java.nio.channels.spi open; start Java with "
                        + String.join(" ", OPEN) + "; running on plain TCP",
                lines.get(0));
        assertOverExs(lines.get(1), 0);
        assertTrue(lines.get(1).contains("\"fallbacks\":{\"option-missing\":3}"), printed);
    }

    @Test
    void nothingIsSaidOfTheOptionWhereNothingAsksForIt() throws Exception {
        ProgramJvm off = startClosed(Jdk.OF_THE_TESTS, List.of("-Dexs.enabled=false"), EveryFace.class);
        assertEquals("", errors(off, "sun.nio.ch", EXCHANGED));
    }

    @Test
    void everythingIsTheJdksWhereExsIsSwitchedOff() throws Exception {
        ProgramJvm program =
                start(Jdk.OF_THE_TESTS, List.of("-Dexs.enabled=false"), EveryKind.class, directory.toString());
        assertEquals("", errors(program, SELECTED));
    }

    @Test
    void everythingIsTheJdksAfterAWarningWhereASettingIsWrong() throws Exception {
        ProgramJvm program =
                start(Jdk.OF_THE_TESTS, List.of("-Dexs.devise=soft"), EveryKind.class, directory.toString());
        String printed = errors(program, SELECTED);
        assertTrue(printed.startsWith("exs: warn: ") && printed.contains("exs.devise"), printed);
    }

    @ParameterizedTest
    @EnumSource
    void manyThreadsMayUseTheProviderFirst(Jdk jdk) throws Exception {
        ProgramJvm program = start(jdk, List.of(), FirstUse.class);
        statistics(program, "first uses: 5");
    }

    private ProgramJvm start(Jdk jdk, List<String> options, Class<?> program, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(OPEN);
        all.addAll(options);
        return startClosed(jdk, all, program, arguments);
    }

    /** Starts one without the option. */
    private ProgramJvm startClosed(Jdk jdk, List<String> options, Class<?> program, String... arguments)
            throws Exception {
        List<String> all = new ArrayList<>(List.of(
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED", // Otherwise JDKs from 24 on warn.
                ProgramJvm.QUICK,
                "-Djava.nio.channels.spi.SelectorProvider=org.exsockets.ExsSelectorProvider",
                "-Djava.nio.channels.spi.AsynchronousChannelProvider=org.exsockets.ExsAsynchronousChannelProvider",
                "-Dexs.stats=stderr"));
        all.addAll(options);
        Path jar = Path.of(System.getProperty("compat.agent")).toAbsolutePath();
        all.addAll(List.of("-cp", PeerJvm.classes() + File.pathSeparator + jar, program.getName()));
        all.addAll(List.of(arguments));
        ProgramJvm jvm =
                new ProgramJvm("program" + started.size(), directory, jdk.home().resolve("bin/java"), all);
        started.add(jvm);
        return jvm;
    }

    /** Waits for an end in order, after these lines. {@return the statistics, all that is on standard error} */
    private static String statistics(ProgramJvm program, String... lines) throws Exception {
        String printed = errors(program, lines);
        assertEquals(1, printed.lines().count(), () -> "more than the statistics on standard error: " + printed);
        return printed;
    }

    /** Waits for an end in order, after these lines. {@return what is on standard error} */
    private static String errors(ProgramJvm program, String... lines) throws Exception {
        List<String> printed = program.awaitEnd();
        String errors = program.errors();
        assertEquals(List.of(lines), printed, errors);
        return errors;
    }
}
