package org.exsockets.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.exsockets.agent.ChildJvm;
import org.exsockets.agent.OnEachJdk;
import org.exsockets.agent.programs.Hold;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code ss}, asking programs that run. */
class SocketStatisticsIT {
    private static final long LIMIT_NS = 120_000_000_000L;

    @TempDir
    Path directory;

    private final List<Process> programs = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (Process program : programs) {
            program.destroyForcibly().waitFor();
        }
    }

    private Process hold(Path jdk) throws IOException {
        Process program = ChildJvm.of(jdk).startWithAgent(Hold.class);
        programs.add(program);
        return program;
    }

    private static String port(Process program) throws IOException {
        BufferedReader out = program.inputReader();
        return out.readLine();
    }

    /** A process can be asked from a second after its first connection on. */
    private static ChildJvm.Outcome awaitAnswer(Path jdk, Predicate<String> expected, String... options)
            throws Exception {
        String[] command = new String[options.length + 1];
        command[0] = "ss";
        System.arraycopy(options, 0, command, 1, options.length);
        long startNs = System.nanoTime();
        while (true) {
            ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent(command);
            if (expected.test(outcome.out())) {
                return outcome;
            }
            assertTrue(System.nanoTime() - startNs < LIMIT_NS, outcome.out() + outcome.err());
        }
    }

    private static String line(String out, String containing) {
        return out.lines().filter(line -> line.contains(containing)).findFirst().orElseThrow();
    }

    @OnEachJdk
    void connectionsAndListenersAreListed(Path jdk) throws Exception {
        Process program = hold(jdk);
        String port = port(program);
        String out = awaitAnswer(jdk, printed -> printed.contains(":" + port)).out();
        String accepted = line(out, "127.0.0.1:" + port + " ");
        String process = program.pid() + "/" + Hold.class.getName();
        assertTrue(out.lines().anyMatch(line -> line.startsWith("LISTEN") && line.contains(":" + port)), out);
        assertTrue(
                Pattern.compile("(?m)^ESTAB +1000 +0 +127\\.0\\.0\\.1:" + port + " .* soft +500 B .*" + process + "$")
                        .matcher(out)
                        .find(),
                out + accepted);
    }

    @OnEachJdk
    void everythingIsToldInJson(Path jdk) throws Exception {
        Process program = hold(jdk);
        String port = port(program);
        String out = awaitAnswer(jdk, printed -> printed.contains(":" + port), "--json")
                .out();
        String accepted = line(out, "\"local\":\"127.0.0.1:" + port + "\",\"peer\"");
        assertTrue(accepted.contains("\"kind\":\"connection\",\"seen_pid\":" + program.pid() + ","), accepted);
        assertTrue(accepted.contains("\"unread_bytes\":1000"), accepted);
        assertTrue(accepted.contains("\"in_indirect_bytes\":500"), accepted);
        String own = line(out, "\"kind\":\"process\",\"seen_pid\":" + program.pid() + ",");
        assertTrue(own.contains("\"connections_soft\":2"), own);
    }

    @OnEachJdk
    void wideTellsWhatAHangTakes(Path jdk) throws Exception {
        Process program = hold(jdk);
        String port = port(program);
        String out = awaitAnswer(jdk, printed -> printed.contains(":" + port), "--wide")
                .out();
        assertTrue(out.contains("life=[] pins=0"), out);
        assertTrue(out.contains("sleeps="), out);
    }

    /** It does not hang the command. */
    @OnEachJdk
    void aStoppedProcessIsNamed(Path jdk) throws Exception {
        Process program = hold(jdk);
        String port = port(program);
        awaitAnswer(jdk, printed -> printed.contains(":" + port));
        new ProcessBuilder("kill", "-STOP", Long.toString(program.pid()))
                .start()
                .waitFor();
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent("ss");
        assertEquals(1, outcome.status());
        assertTrue(outcome.out().contains(program.pid() + ": no answer"), outcome.out());
        new ProcessBuilder("kill", "-CONT", Long.toString(program.pid()))
                .start()
                .waitFor();
        awaitAnswer(jdk, printed -> printed.contains(":" + port));
    }

    @OnEachJdk
    void aKilledProcessIsGone(Path jdk) throws Exception {
        Process program = hold(jdk);
        String port = port(program);
        awaitAnswer(jdk, printed -> printed.contains(":" + port));
        program.destroyForcibly().waitFor();
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent("ss");
        assertFalse(outcome.out().contains(":" + port), outcome.out());
    }

    /** Who is neither the same user nor root learns nothing, and the process answers others as before. */
    @OnEachJdk
    void anotherUserIsNotAnswered(Path jdk) throws Exception {
        assumeTrue(new UnixSystem().getUid() == 0, "becoming another user takes root");
        Process program = hold(jdk);
        String port = port(program);
        awaitAnswer(jdk, printed -> printed.contains(":" + port));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path jar = Files.copy(ChildJvm.agentJar(), directory.resolve("agent.jar"));
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));
        Path out = directory.resolve("out");
        List<String> command = List.of("setpriv", "--reuid=4711", "--regid=4711", "--clear-groups");
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of(jdk.resolve("bin/java").toString(), "-jar", jar.toString(), "ss", "--json"));
        Process stranger =
                new ProcessBuilder(whole).redirectOutput(out.toFile()).start();
        assertEquals(0, stranger.waitFor(), new String(stranger.getErrorStream().readAllBytes()));
        assertEquals("", Files.readString(out));
        awaitAnswer(jdk, printed -> printed.contains(":" + port));
    }

    @OnEachJdk
    void aWrongOptionIsWrongUsage(Path jdk) throws Exception {
        for (String[] wrong : new String[][] {{"ss", "--wid"}, {"ss", "--watch"}, {"ss", "--watch", "0"}}) {
            ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent(wrong);
            assertEquals(2, outcome.status());
            assertTrue(outcome.out().contains("usage: java -jar exs-agent.jar ss"), outcome.out());
        }
    }
}
