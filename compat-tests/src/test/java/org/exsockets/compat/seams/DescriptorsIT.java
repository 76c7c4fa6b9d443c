package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Descriptors;
import org.junit.jupiter.api.Test;

/** What native libraries find that take the descriptor out of a socket by reflection. */
final class DescriptorsIT extends SeamTest {
    private static final List<String> OVER_TCP =
            List.of("connected its own", "accepted its own", "implementation its own");

    private ProgramJvm start(Transport transport, String... options) throws Exception {
        List<String> all = new ArrayList<>(
                List.of("--add-opens=java.base/java.net=ALL-UNNAMED", "--add-opens=java.base/java.io=ALL-UNNAMED"));
        all.addAll(List.of(options));
        return start("program", transport, all, Descriptors.class);
    }

    @Test
    void withoutTheAgentSocketsHaveTheirOwn() throws Exception {
        assertEquals(OVER_TCP, start(Transport.TCP).awaitEnd());
    }

    @Test
    void whereTheListenerOffersExsSocketsOverTcpHaveTheirOwn() throws Exception {
        Path rules = Files.write(directory.resolve("rules"), List.of("connect * * tcp"));
        ProgramJvm program = start(Transport.SOFT, "-Dexs.rules=" + rules);
        assertEquals(OVER_TCP, program.awaitEnd());
        assertEquals(2, Transport.fallbacks(program.statistics(), "peer-plain"), program::quoted);
    }

    @Test
    void whereTheListenerDoesNotSocketsOverTcpHaveTheirOwn() throws Exception {
        ProgramJvm program = start(Transport.SOFT, "-Dexs.device=none");
        assertEquals(OVER_TCP, program.awaitEnd());
        assertEquals(4, Transport.connections(program.statistics(), "tcp"), program::quoted);
    }

    /** A difference from TCP that is told: there is none to find, and none of something else. */
    @Test
    void overExsSocketsHaveNone() throws Exception {
        ProgramJvm program = start(Transport.SOFT);
        assertEquals(List.of("connected none", "accepted none", "implementation none"), program.awaitEnd());
        assertOverExs(program, 4);
    }
}
