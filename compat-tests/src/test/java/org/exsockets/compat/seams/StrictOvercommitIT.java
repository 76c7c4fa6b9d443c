package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Unread;
import org.junit.jupiter.api.Test;

/**
 * A machine with vm.overcommit_memory=2, one of the long tests: more is written than memory may be promised for. Who
 * touches a page then is killed, so nobody must get that far.
 */
final class StrictOvercommitIT extends SeamTest {
    private static final int CLIENTS = 400;

    /** What all would like to have, and the machine has not. */
    private static final long WANTED_BYTES = CLIENTS * (4L << 20);

    /** The heap is all there from the start: a JVM that cannot have more of it ends, too. */
    private static final List<String> OPTIONS =
            List.of("-Xms64m", "-Xmx64m", "-XX:+ErrorFileToStderr", "-Dexs.memory=8000m");

    @Test
    void programsLiveAtTheLimitOfTheMachine() throws Exception {
        String setting = Files.readString(Path.of("/proc/sys/vm/overcommit_memory"));
        assumeTrue(setting.startsWith("2"), "vm.overcommit_memory is not 2");
        String count = Integer.toString(CLIENTS);
        var server = start("server", Transport.SOFT, OPTIONS, Unread.class, "serve", count, "polling");
        String port = server.await("port");
        var clients = start("clients", Transport.SOFT, OPTIONS, Unread.class, "connect", count, port);
        clients.await("connected");
        long full = Long.parseLong(server.await("full"));
        assertTrue(full > CLIENTS * (128L << 10) && full < WANTED_BYTES, "bytes: " + full);
        clients.tell("");
        server.tell("");
        String written = server.await("written");
        assertEquals(List.of(), server.awaitEnd());
        assertEquals(List.of("read " + written), clients.awaitEnd());
        assertOverExs(server, CLIENTS);
        assertTrue(server.quoted().contains("no reserve: memory is scarce"), "it had all that it wanted");
    }
}
