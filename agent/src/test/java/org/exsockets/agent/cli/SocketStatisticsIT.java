package org.exsockets.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

    /** A {@link Hold} that runs on {@code jdk}, and the port on which it listens. */
    private record Held(Path jdk, Process program, String port) {
        boolean isIn(String out) {
            return out.contains(":" + port);
        }

        /** {@return what the command prints once this is listed: a second after its first connection} */
        String awaitListed(String... options) {
            String[] command =
                    Stream.concat(Stream.of("ss"), Arrays.stream(options)).toArray(String[]::new);
            long startNs = System.nanoTime();
            while (true) {
                ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent(command);
                if (isIn(outcome.out())) {
                    return outcome.out();
                }
                assertTrue(System.nanoTime() - startNs < LIMIT_NS, outcome.out() + outcome.err());
            }
        }

        void signal(String name) throws Exception {
            new ProcessBuilder("kill", name, Long.toString(program.pid()))
                    .start()
                    .waitFor();
        }
    }

    private Held hold(Path jdk) throws IOException {
        Process program = ChildJvm.of(jdk).startWithAgent(Hold.class);
        programs.add(program);
        return new Held(jdk, program, program.inputReader().readLine());
    }

    private static String line(String out, String containing) {
        return out.lines().filter(line -> line.contains(containing)).findFirst().orElseThrow();
    }

    @OnEachJdk
    void connectionsAndListenersAreListed(Path jdk) throws Exception {
        Held held = hold(jdk);
        String out = held.awaitListed();
        String process = held.program.pid() + "/" + Hold.class.getName();
        assertTrue(out.lines().anyMatch(line -> line.startsWith("LISTEN") && line.contains(":" + held.port)), out);
        assertTrue(
                Pattern.compile("(?m)^ESTAB +1000 +0 +127\\.0\\.0\\.1:" + held.port + " .* soft +500 B .*" + process
                                + "$")
                        .matcher(out)
                        .find(),
                out);
    }

    @OnEachJdk
    void everythingIsToldInJson(Path jdk) throws Exception {
        Held held = hold(jdk);
        String out = held.awaitListed("--json");
        String accepted = line(out, "\"local\":\"127.0.0.1:" + held.port + "\",\"peer\"");
        assertTrue(accepted.contains("\"kind\":\"connection\",\"seen_pid\":" + held.program.pid() + ","), accepted);
        assertTrue(accepted.contains("\"unread_bytes\":1000"), accepted);
        assertTrue(accepted.contains("\"in_indirect_bytes\":500"), accepted);
        String own = line(out, "\"kind\":\"process\",\"seen_pid\":" + held.program.pid() + ",");
        assertTrue(own.contains("\"connections_soft\":2"), own);
        String version = ChildJvm.of(jdk).runAgent("version").out().strip().replaceFirst("^EXS sockets ", "");
        assertTrue(own.contains("\"exs\":\"" + version + "\""), own);
    }

    @OnEachJdk
    void wideTellsWhatAHangTakes(Path jdk) throws Exception {
        Held held = hold(jdk);
        String out = held.awaitListed("--wide");
        assertTrue(out.contains("life=[] pins=0"), out);
        assertTrue(out.contains("sleeps="), out);
    }

    /** It does not hang the command. */
    @OnEachJdk
    void aStoppedProcessIsNamed(Path jdk) throws Exception {
        Held held = hold(jdk);
        held.awaitListed();
        held.signal("-STOP");
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent("ss");
        assertEquals(1, outcome.status());
        assertTrue(outcome.out().contains(held.program.pid() + ": no answer"), outcome.out());
        held.signal("-CONT");
        held.awaitListed();
    }

    @OnEachJdk
    void aKilledProcessIsGone(Path jdk) throws Exception {
        Held held = hold(jdk);
        held.awaitListed();
        held.program.destroyForcibly().waitFor();
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent("ss");
        assertFalse(held.isIn(outcome.out()), outcome.out());
    }

    /** Who is neither the same user nor root learns nothing, and the process answers others as before. */
    @OnEachJdk
    void anotherUserIsNotAnswered(Path jdk) throws Exception {
        assumeTrue(new UnixSystem().getUid() == 0, "becoming another user takes root");
        Held held = hold(jdk);
        held.awaitListed();
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
        held.awaitListed();
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
