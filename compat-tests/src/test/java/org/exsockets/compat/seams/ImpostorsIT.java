package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Besieged;
import org.exsockets.compat.seams.programs.Secrets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process E, {@code impostor.c}, is a peer of a client A and of a server B, all of one user, and shows one of them the number of the other one's
 * process as its own: A and B share nothing with it that they share with each other, and do not notice.
 */
final class ImpostorsIT extends SeamTest {
    private static final int CONNECTIONS = 6;

    @ParameterizedTest
    @CsvSource({
        // what E does, whether A knows B before, how A asks, descriptors that E has passed and been passed
        "server,    true,  tell,   6",
        "relay,     true,  tell,   8",
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
        String listener = Natives.listener(port);
        String prefix = listener.substring(0, listener.lastIndexOf('/'));
        ProgramJvm impostor = startNative("impostor", program, prefix, Integer.toString(port), mode);
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

    private static void assertAnswered(ProgramJvm client, String ask, int port, int count) throws Exception {
        client.tell(ask + " " + port + " " + count);
        assertEquals(Integer.toString(count), client.await("answered"));
        assertEquals("none", client.await("failures"));
    }
}
