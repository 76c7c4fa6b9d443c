package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.LostSockets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sockets that a program loses without closing them: released where the JDK releases them, and no others. */
final class LostSocketsIT extends SeamTest {
    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void whatTheCollectorFindsIsReleased(Transport transport) throws Exception {
        var jvm = start("program", transport, List.of(), LostSockets.class);
        assertEquals(
                List.of(
                        "lost connected: released, peers [7 end]",
                        "lost accepted: released, peers [7 end]",
                        "lost unread: released, peers [7 Connection reset]",
                        "lost abortive: released, peers [7 Connection reset]",
                        "lost listener: released, peers []",
                        "lost channel: kept, peers [open]",
                        "lost server channel: kept, peers []"),
                jvm.awaitEnd());
    }
}
