package org.exsockets.compat.programs;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.exsockets.compat.harness.Pattern;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.TimeLimit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code curl} with the JDK's web server, in the clear and with TLS: served over TCP under the agent, the reason counted. */
@Tag("programs")
@TimeLimit(LONG)
final class CurlIT {
    private static final Path CURL = Path.of("/usr/bin/curl");
    private static final int LARGE_BYTES = 3_000_000;

    @Test
    void curlIsServedTheSameByAServerWithTheAgent(@TempDir Path temporary) throws Exception {
        assumeTrue(Files.isExecutable(CURL), "there is no curl; rxe/install installs it");
        Stage stage = Stage.in(temporary);
        List<byte[]> plain = run(stage, false);
        List<byte[]> agent = run(stage, true);
        assertEquals(plain.size(), agent.size());
        for (int i = 0; i < plain.size(); i++) {
            assertArrayEquals(plain.get(i), agent.get(i), "answer " + i);
        }
    }

    private static List<byte[]> run(Stage stage, boolean agent) throws Exception {
        Path run = stage.newRun(agent ? "agent" : "plain");
        Path upload = Files.write(run.resolve("upload"), Pattern.bytes(0, LARGE_BYTES));
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(upload)));
        List<byte[]> answers = new ArrayList<>();
        try (ProgramJvm serving = stage.start(run, "server", agent, Driver.WEB_SERVER, List.of(), List.of())) {
            for (String address : serving.await("serving").split(" ")) {
                String base = address.substring(address.indexOf('=') + 1);
                // Twenty requests of one process use one connection.
                answers.add(curl(stage, run, base + "/item/[1-20]"));
                byte[] large = curl(stage, run, base + "/bytes/" + LARGE_BYTES);
                assertEquals(LARGE_BYTES, large.length);
                answers.add(large);
                byte[] hashed = curl(stage, run, "--data-binary", "@" + upload, base + "/hash");
                assertEquals(hash, new String(hashed, StandardCharsets.US_ASCII));
            }
            serving.end();
            serving.awaitEnd();
            if (agent) {
                Proof.clientsOverTcp(serving, Set.of());
            }
        }
        assertTrue(new String(answers.get(0), StandardCharsets.US_ASCII).startsWith("item 1: "));
        return answers;
    }

    private static byte[] curl(Stage stage, Path run, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                CURL.toString(),
                "--silent",
                "--show-error",
                "--fail",
                "--noproxy",
                "*",
                "--cacert",
                stage.keys().pem(run).toString()));
        command.addAll(List.of(arguments));
        return NativeServer.run(run, command.toArray(String[]::new));
    }
}
