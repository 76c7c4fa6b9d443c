package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Besieged;
import org.exsockets.compat.seams.programs.Secrets;
import org.exsockets.compat.seams.programs.SecretsReceiver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process E, {@code impostor.c}, is a peer of a client A and of a server B, all of one user, and shows one of them the number of the other one's
 * process as its own: A and B share nothing with it that they share with each other, and do not notice.
 */
final class ImpostorsIT extends SeamTest {
    private static final int CONNECTIONS = 6;
    private static final int MEBIBYTES = 16;

    /** A takes what E has passed one after the other, when it looks at the socket. */
    private static final int NUDGES = 10;

    private static final List<String> DIRECT = List.of("-Dexs.direct.buffers=64k", "-Dexs.direct=always");

    @ParameterizedTest
    @CsvSource({
        // what E does, whether A knows B before, how A asks, what E has passed and been passed, and guessed, at least
        "server,    true,  tell,   6",
        "relay,     true,  tell,   8",
        "guess,     true,  tell,   400",
        "client,    false, select, 4",
        "latecomer, true,  select, 4"
    })
    void nobodyPassesForAnotherProcess(String mode, boolean known, String ask, int least) throws Exception {
        String program = Natives.compile("impostor", directory).toString();
        ProgramJvm server = start("server", Transport.SOFT, List.of(), Besieged.class, "sockets");
        ProgramJvm client = start("client", Transport.SOFT, List.of(), Secrets.class);
        int port = Integer.parseInt(server.await("port"));
        if (known) {
            assertAnswered(client, ask, port, 2);
        }
        ProgramJvm impostor = startNative("impostor", program, prefix(port), Integer.toString(port), mode);
        client.tell("visit " + impostor.await("port") + " 1");
        client.await("visiting");
        impostor.await("met");
        client.tell("leave 0 0");
        client.await("left");
        int passed = Integer.parseInt(impostor.await("ready"));
        client.tell(ask + " " + port + " " + CONNECTIONS);
        String answered = client.await("answered");
        String failures = client.await("failures");
        impostor.end();
        String found = impostor.await("found");
        String touched = impostor.await("touched");
        String kept = impostor.await("kept");
        impostor.awaitEnd();
        System.out.println("impostors: " + mode + ": passed=" + passed + ", answered=" + answered + ", found=" + found
                + ", touched=" + touched + ", kept=" + kept + ", failures: " + failures);
        assertAll(
                () -> assertTrue(passed >= least, "E has not been a peer: descriptors=" + passed),
                () -> assertEquals(Integer.toString(CONNECTIONS), answered),
                () -> assertEquals("none", failures),
                () -> assertEquals("0", found, "secrets that E has found"),
                () -> assertEquals("0", touched, "bytes that B has told E, not A"));
        client.end();
        client.awaitEnd();
        server.end();
        server.awaitEnd();
    }

    /** Memory of B's program that A writes to is B's, whatever E has passed. */
    @Test
    void nobodysMemoryPassesForThatOfAnotherProgram() throws Exception {
        String program = Natives.compile("impostor", directory).toString();
        ProgramJvm server = start("server", Transport.SOFT, DIRECT, SecretsReceiver.class);
        ProgramJvm client = start("client", Transport.SOFT, DIRECT, Secrets.class);
        int port = Integer.parseInt(server.await("port"));
        ProgramJvm impostor = startNative("impostor", program, prefix(port), Integer.toString(port), "arena");
        client.tell("visit " + impostor.await("port") + " 1");
        client.await("visiting");
        impostor.await("ready");
        for (int i = 0; i < NUDGES; i++) {
            client.tell("nudge 0 0");
            client.await("nudged");
        }
        client.tell("stream " + port + " " + MEBIBYTES);
        String received = server.await("received");
        String wrong = server.await("wrong");
        client.await("streamed");
        client.tell("leave 0 0");
        client.await("left");
        client.end();
        client.awaitEnd();
        impostor.end();
        String found = impostor.await("found");
        impostor.awaitEnd();
        String statistics = client.statistics();
        System.out.println(
                "impostors: arena: received=" + received + ", wrong=" + wrong + ", found=" + found + ", " + statistics);
        assertAll(
                () -> assertTrue(!statistics.contains("\"sent\":{\"direct\":0,"), statistics),
                () -> assertEquals(Long.toString((long) MEBIBYTES << 20), received),
                () -> assertEquals("0", wrong, "bytes that were not what A has sent"),
                () -> assertEquals("0", found, "secrets that E has found"));
        server.end();
        server.awaitEnd();
    }

    private static String prefix(int port) throws IOException {
        String listener = Natives.listener(port);
        return listener.substring(0, listener.lastIndexOf('/'));
    }

    private static void assertAnswered(ProgramJvm client, String ask, int port, int count) throws Exception {
        client.tell(ask + " " + port + " " + count);
        assertEquals(Integer.toString(count), client.await("answered"));
        assertEquals("none", client.await("failures"));
    }
}
