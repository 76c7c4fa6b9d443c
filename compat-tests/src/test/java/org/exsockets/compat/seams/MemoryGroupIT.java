package org.exsockets.compat.seams;

import static org.exsockets.compat.harness.PeerJvm.classes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.MemoryGroup;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Unread;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server in a control group of 320 MB whose clients do not read: as the system kills a process that needs more, what
 * it writes must have an end before. Its clients are outside of the group.
 */
final class MemoryGroupIT extends SeamTest {
    private static final long LIMIT_BYTES = 320L << 20;
    private static final int CLIENTS = 100;

    @ParameterizedTest
    @CsvSource({"TCP,polling", "SOFT,polling", "TCP,blocking", "SOFT,blocking"})
    void aServerWhoseClientsDoNotReadLives(Transport transport, String how) throws Exception {
        try (MemoryGroup group = MemoryGroup.make(LIMIT_BYTES)) {
            try {
                String count = Integer.toString(CLIENTS);
                List<String> arguments = new ArrayList<>(List.of(ProgramJvm.QUICK));
                arguments.addAll(agent("server", transport));
                arguments.addAll(List.of("-cp", classes().toString(), Unread.class.getName(), "serve", count, how));
                ProgramJvm server = start("server", javaBy("grouped", group.command()), arguments);
                String port = server.await("port");
                assertTrue(group.contains(server.process()));
                ProgramJvm clients = start("clients", transport, List.of(), Unread.class, "connect", count, port);
                clients.await("connected");
                long full = Long.parseLong(server.await("full"));
                assertTrue(full >= CLIENTS * (256L << 10), "bytes: " + full);
                clients.tell("");
                server.tell("");
                String written = server.await("written");
                assertEquals(List.of(), server.awaitEnd());
                assertEquals(List.of("read " + written), clients.awaitEnd());
                if (transport != Transport.TCP) {
                    assertOverExs(server, CLIENTS);
                }
            } finally {
                endPrograms();
            }
        }
    }
}
