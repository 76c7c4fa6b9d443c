package org.exsockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.exsockets.agent.programs.Echo;
import org.exsockets.agent.programs.Hello;
import org.junit.jupiter.api.io.TempDir;

/** What the user got wrong, or the system does not have: one clear line or none, and the program runs. */
class BadSurroundingsIT {
    private static final String ECHO = "echo ok\n";
    private static final String OVER_EXS = "{\"connections\":{\"soft\":4,\"disni\":0,\"tcp\":0},";
    private static final String OVER_TCP = "{\"connections\":{\"soft\":0,\"disni\":0,\"tcp\":4},";

    /** Of a JVM that cannot be found by {@code /proc/self/exe}. */
    private static final String LIBRARIES = "LD_LIBRARY_PATH";

    @TempDir
    Path directory;

    private static ChildJvm.Outcome echo(Path jdk, String options) {
        return ChildJvm.of(jdk).agent(TestJars.agent(), options).run(Echo.class);
    }

    private static void assertEchoed(ChildJvm.Outcome outcome, String... errors) {
        assertEquals(ECHO, outcome.out(), outcome.err());
        assertEquals(0, outcome.status());
        List<String> lines = outcome.err().lines().toList();
        assertEquals(errors.length, lines.size(), outcome.err());
        for (int i = 0; i < errors.length; i++) {
            assertTrue(lines.get(i).startsWith(errors[i]), outcome.err());
        }
    }

    // What the user names.

    @OnEachJdk
    void rulesThatCannotBeRead(Path jdk) throws IOException {
        Path noText = Files.write(directory.resolve("rules"), new byte[] {'b', 'o', 't', 'h', (byte) 0xff});
        for (String[] each :
                new String[][] {{directory.toString(), "Is a directory"}, {noText.toString(), "it is not UTF-8 text"}
                }) {
            assertEchoed(
                    echo(jdk, "rules=" + each[0]),
                    "exs: 1 problem in the EXS settings:",
                    "  agent option rules=" + each[0] + ": cannot read the rules: " + each[1],
                    "exs: running on plain TCP");
        }
    }

    @OnEachJdk
    void statisticsThatCannotBeWritten(Path jdk) {
        for (String place :
                List.of(directory.toString(), directory.resolve("none/file").toString(), "/dev/full")) {
            assertEchoed(echo(jdk, "stats=" + place), "exs: warn: exs.stats: cannot write to " + place + ": ");
        }
    }

    @OnEachJdk
    void logsThatCannotBeWritten(Path jdk) {
        for (String place :
                List.of(directory.toString(), directory.resolve("none/file").toString())) {
            assertEchoed(
                    echo(jdk, "log=warn:" + place),
                    "exs: warn: exs.log: cannot write to " + place + ", logging to standard error: ");
        }
        assertEchoed(echo(jdk, "log=debug:/dev/full"));
    }

    // Several agents.

    @OnEachJdk
    void ofTwoAgentsOfDifferentVersionsTheFirstCounts(Path jdk) throws IOException {
        Path older = TestJars.olderAgent(directory);
        String once = "exs: the agent is given more than once; only the first one counts";
        for (List<Path> agents : List.of(List.of(TestJars.agent(), older), List.of(older, TestJars.agent()))) {
            assertEchoed(
                    ChildJvm.of(jdk)
                            .agent(agents.get(0), "stats=stderr")
                            .agent(agents.get(1))
                            .run(Echo.class),
                    once,
                    OVER_EXS);
        }
    }

    /** The JVM takes the agent's first class from there. */
    @OnEachJdk
    void anAgentOfAnotherVersionOnTheClassPathIsHarmless(Path jdk) throws IOException {
        assertEchoed(
                ChildJvm.of(jdk)
                        .classPath(TestJars.olderAgent(directory))
                        .agent(TestJars.agent(), "stats=stderr")
                        .run(Echo.class),
                OVER_EXS);
    }

    // Tools whose output others read.

    @OnEachJdk
    void toolsPrintWhatTheyPrintWithoutTheAgent(Path jdk) throws Exception {
        String programs = ChildJvm.programs();
        for (String[] tool : new String[][] {
            {"java", "-version"},
            {"java", "--version"},
            {"java", "-cp", programs, Hello.class.getName()},
            {"javac", "-version"},
            {"jar", "--version"},
            {"keytool", "-help"}
        }) {
            String name = tool[0];
            String[] arguments = List.of(tool).subList(1, tool.length).toArray(String[]::new);
            ChildJvm.Outcome without = ChildJvm.of(jdk).runTool(name, arguments);
            String agent = "-javaagent:" + TestJars.agent();
            ChildJvm.Outcome with =
                    ChildJvm.of(jdk).environment("JAVA_TOOL_OPTIONS", agent).runTool(name, arguments);
            assertEquals(without.status(), with.status());
            assertEquals(without.out(), with.out());
            assertEquals("Picked up JAVA_TOOL_OPTIONS: " + agent + "\n" + without.err(), with.err());
        }
    }

    // What the system lacks.

    /** {@return a JVM in a mount namespace in which commands have run before} */
    private static ChildJvm mounted(Path jdk, String commands) throws Exception {
        String[] launcher = {"unshare", "--mount", "sh", "-c", commands + " && exec \"$@\"", "sh"};
        ChildJvm jvm = ChildJvm.of(jdk)
                .by(launcher)
                .environment(LIBRARIES, jdk.resolve("lib").toString());
        assumeTrue(jvm.runTool("java", "-version").status() == 0, "a mount namespace takes root, and unshare(1)");
        return jvm;
    }

    @OnEachJdk
    void withoutProcExsWorks(Path jdk) throws Exception {
        for (String commands : List.of("umount -l /proc", "mount -t tmpfs none /proc")) {
            ChildJvm.Outcome outcome = mounted(jdk, commands)
                    .agent(TestJars.agent(), "stats=stderr")
                    .run(Echo.class);
            assertEchoed(outcome, OVER_EXS);
        }
    }

    @OnEachJdk
    void withoutProcCommandsSayWhatTheyCannotKnow(Path jdk) throws Exception {
        String commands = "umount -l /proc";
        ChildJvm.Outcome doctor = mounted(jdk, commands).runAgent("doctor");
        assertEquals(0, doctor.status(), doctor.out() + doctor.err());
        assertTrue(
                doctor.out().contains("  note     how much memory may be shared is unknown: there is no /proc/meminfo"),
                doctor.out());
        ChildJvm.Outcome ss = mounted(jdk, commands).runAgent("ss");
        assertEquals(1, ss.status());
        assertEquals("ss: /proc/net/unix (No such file or directory)\n", ss.out());
    }

    /** All that can be remounted; what the test reads is already open. */
    private static final String READ_ONLY =
            "for each in $(cut -d' ' -f5 /proc/self/mountinfo); do mount -o remount,bind,ro \"$each\" 2>/dev/null; done;"
                    + " mount -o remount,bind,ro / && ! touch /tmp/exs-selftest-none 2>/dev/null";

    @OnEachJdk
    void whereNothingCanBeWrittenProgramsUseTcp(Path jdk) throws Exception {
        ChildJvm.Outcome outcome =
                mounted(jdk, READ_ONLY).agent(TestJars.agent(), "stats=stderr").run(Echo.class);
        assertEchoed(
                outcome,
                "exs: warn: device soft cannot be used now: the native library libexspoll.so cannot be used: no directory to"
                        + " unpack the native library to (",
                OVER_TCP);
        assertTrue(outcome.err().contains("\"native-missing\":"), outcome.err());
    }

    @OnEachJdk
    void whereNothingCanBeWrittenTheSelfTestSaysSo(Path jdk) throws Exception {
        ChildJvm.Outcome outcome = mounted(jdk, READ_ONLY).runAgent("selftest");
        assertEquals(1, outcome.status());
        assertTrue(outcome.err().startsWith("selftest: no directory for its files can be made: "), outcome.err());
    }

    @OnEachJdk
    void whereOneDirectoryCanBeWrittenExsWorks(Path jdk) throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));
        String commands = READ_ONLY + " && mount -t tmpfs none " + own;
        assertEchoed(
                mounted(jdk, commands)
                        .agent(TestJars.agent(), "stats=stderr,native=" + own)
                        .run(Echo.class),
                OVER_EXS);
    }

    @OnEachJdk
    void withoutHomeAndTemporaryDirectoryExsWorks(Path jdk) {
        Path none = directory.resolve("none");
        assertEchoed(
                ChildJvm.of(jdk)
                        .by("env", "-u", "HOME", "-u", "XDG_CACHE_HOME", "-u", "XDG_RUNTIME_DIR")
                        .jvm("-Duser.home=" + none, "-Djava.io.tmpdir=" + none)
                        .agent(TestJars.agent(), "stats=stderr")
                        .run(Echo.class)
                        .withoutLines("tmpdir"),
                OVER_EXS);
    }
}
