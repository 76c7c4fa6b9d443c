package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.SpinningAcceptor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread that spins in accept, for longer than any test waits, sees a client that it has never met. */
final class SpinningAcceptorIT extends SeamTest {
    private static final String LONG = "-Dexs.spin=999999999";

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void whoSpinsSeesAStranger(Transport transport) throws Exception {
        ProgramJvm program = start("program", transport, List.of(LONG), SpinningAcceptor.class);
        assertEquals(List.of("accepted 127.0.0.1", "end -1"), program.awaitEnd());
        if (transport != Transport.TCP) {
            assertOverExs(program, 2);
        }
    }
}
