package org.exsockets.agent.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.exsockets.agent.ChildJvm;
import org.exsockets.agent.OnEachJdk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code selftest}. How long it takes and what is faster says nothing here. */
class SelfTestIT {
    private static final String[] QUICK = {"selftest", "--json", "--seconds", "1"};

    @TempDir
    Path directory;

    private Process listening;

    /** As by Ctrl-C, so that it leaves nothing behind. */
    @AfterEach
    void end() throws Exception {
        if (listening != null) {
            listening.destroy();
            listening.waitFor();
        }
    }

    private ChildJvm.Outcome against(Path jdk, String target) {
        return ChildJvm.of(jdk).runAgent(QUICK[0], QUICK[1], QUICK[2], QUICK[3], target);
    }

    /** {@return where the other side listens, with the settings of the JVM} */
    private String listen(ChildJvm jvm) throws IOException {
        return listen(jvm, ChildJvm.agentJar());
    }

    private String listen(ChildJvm jvm, Path jar) throws IOException {
        listening = jvm.startAgent(jar, "selftest", "--listen", "0");
        BufferedReader lines = listening.inputReader();
        String line = lines.readLine();
        assertTrue(line.matches("selftest: listening on port \\d+; .*"), line);
        return "127.0.0.1:" + line.replaceFirst("; .*", "").replaceAll("\\D", "");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> parsed(ChildJvm.Outcome outcome) {
        return (Map<String, Object>) JsonText.parse(outcome.out());
    }

    private static void assertEverythingIsThere(Map<String, Object> result) {
        List<String> expected = new ArrayList<>(List.of(Row.FIRST_ANSWER.name(), Row.FIRST_SECOND.name()));
        Row.lasting().forEach(row -> expected.add(row.name()));
        List<String> rows = new ArrayList<>();
        for (Object each : (List<?>) result.get("rows")) {
            Map<?, ?> row = (Map<?, ?>) each;
            rows.add((String) row.get("name"));
            for (String transport : List.of("tcp", "exs")) {
                Map<?, ?> measured = (Map<?, ?>) row.get(transport);
                assertTrue((Double) measured.get("median") > 0, row::toString);
                assertEquals(1, ((List<?>) measured.get("slices")).size());
            }
        }
        assertEquals(expected, rows);
        List<?> checks = (List<?>) result.get("checks");
        assertEquals(Face.values().length * Transport.values().length, checks.size());
        for (Object check : checks) {
            assertEquals(true, ((Map<?, ?>) check).get("right"), check::toString);
        }
        assertTrue(((List<?>) result.get("capabilities")).contains("  good     the native library is loaded"));
    }

    @OnEachJdk
    void exsIsTriedAndMeasuredOnThisHost(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent(QUICK);
        assertEquals(0, outcome.status(), outcome.out() + outcome.err());
        assertEquals("", outcome.err());
        Map<String, Object> result = parsed(outcome);
        assertEverythingIsThere(result);
        Map<?, ?> connections = (Map<?, ?>) result.get("connections");
        assertEquals(connections.get("made"), connections.get("soft"));
        assertTrue(result.get("verdict").toString().startsWith("EXS is used over shared memory, all data was right. "));
        assertEquals(0.0, result.get("status"));
    }

    @OnEachJdk
    void exsIsTriedWithTheCommandThatListens(Path jdk) throws Exception {
        String target = listen(ChildJvm.of(jdk));
        for (int i = 0; i < 2; i++) { // It serves one after the other.
            ChildJvm.Outcome outcome = against(jdk, target);
            assertEquals(0, outcome.status(), outcome.out() + outcome.err());
            Map<String, Object> result = parsed(outcome);
            assertEverythingIsThere(result);
            assertTrue(((List<?>) result.get("other_host")).contains("  good     the native library is loaded"));
            assertEquals(1, ((List<?>) result.get("statistics_there")).size());
        }
    }

    @OnEachJdk
    void itIsNotGoodIfExsIsNotUsed(Path jdk) throws Exception {
        String target = listen(ChildJvm.of(jdk).jvm("-Dexs.device=none"));
        String verdict = verdictOfUnused(jdk, target);
        assertTrue(verdict.contains("At this end: no-listener (The destination is on this host, but "), verdict);
        assertTrue(verdict.endsWith("At the other end: disabled (EXS is switched off by exs.enabled or exs.device)."));
    }

    /** {@return what a test says that finds everything but EXS} */
    private String verdictOfUnused(Path jdk, String target) {
        ChildJvm.Outcome outcome = against(jdk, target);
        assertEquals(1, outcome.status(), outcome.out() + outcome.err());
        Map<String, Object> result = parsed(outcome);
        assertEverythingIsThere(result);
        String verdict = result.get("verdict").toString();
        assertTrue(verdict.startsWith("EXS is not used: "), verdict);
        return verdict;
    }

    /** As between two releases whose protocols differ: the older one listens. */
    @OnEachJdk
    void agentsOfTwoVersionsUseTcpAndSayWhy(Path jdk) throws Exception {
        String target = listen(ChildJvm.of(jdk), ChildJvm.olderAgent(directory));
        String verdict = verdictOfUnused(jdk, target);
        assertTrue(verdict.contains("At this end: no-listener ("), verdict);
        assertTrue(verdict.contains("At the other end: peer-plain ("), verdict);
    }

    /** Their table, and settings that reach the JVMs: a face is left to the JDK. */
    @OnEachJdk
    void peopleGetATable(Path jdk) {
        ChildJvm.Outcome outcome = ChildJvm.of(jdk).jvm("-Dexs.faces=net,nio").runAgent("selftest", "--seconds", "1");
        assertEquals(1, outcome.status(), outcome.out() + outcome.err());
        for (Row row : Row.lasting()) {
            assertTrue(outcome.out().contains("\n  " + row.name() + " "), outcome.out());
        }
        String verdict = outcome.out().strip().lines().reduce("", (any, last) -> last);
        assertTrue(verdict.startsWith("EXS is not always used: "), verdict);
    }

    @OnEachJdk
    void aWrongOptionIsWrongUsage(Path jdk) {
        for (String wrong : List.of(
                "--jsn",
                "--seconds",
                "--seconds 0",
                "--seconds 91",
                "a b",
                "host:0",
                "host:x",
                ":1",
                "--listen 70000",
                "--listen x",
                "--listen --json")) {
            List<String> arguments = new ArrayList<>(List.of("selftest"));
            arguments.addAll(List.of(wrong.split(" ")));
            ChildJvm.Outcome outcome = ChildJvm.of(jdk).runAgent(arguments.toArray(String[]::new));
            assertEquals(2, outcome.status(), wrong);
            assertTrue(outcome.out().startsWith("usage: java "), outcome.out());
        }
    }

    /** Nobody listens on a port that has just been given back. */
    @OnEachJdk
    void aHostThatCannotBeReachedIsNamed(Path jdk) throws Exception {
        int port;
        try (ServerSocket listener = new ServerSocket(0)) {
            port = listener.getLocalPort();
        }
        ChildJvm.Outcome outcome = against(jdk, "127.0.0.1:" + port);
        assertEquals(1, outcome.status());
        assertEquals("", outcome.out());
        String err = outcome.err(); // In the middle stands what the JDK says.
        assertTrue(err.startsWith("selftest: nobody answers at 127.0.0.1, port " + port + ": Connection refused"), err);
        assertTrue(err.endsWith("; start there: java -jar exs-agent.jar selftest --listen " + port + "\n"), err);
        assertEquals(
                "selftest: no-such-host.invalid has no address; check the name, and the name service\n",
                against(jdk, "no-such-host.invalid").err());
    }

    @OnEachJdk
    void anotherServiceIsNotTested(Path jdk) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> {
                try (Socket socket = listener.accept()) {
                    socket.getOutputStream().write("exs-selftest 0\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            ChildJvm.Outcome outcome = against(jdk, "127.0.0.1:" + listener.getLocalPort());
            answered.join();
            assertEquals(1, outcome.status());
            assertEquals(
                    "selftest: what answers there is no selftest of this version: it says 'exs-selftest 0', not"
                            + " 'exs-selftest 1'\n",
                    outcome.err());
        }
    }
}
