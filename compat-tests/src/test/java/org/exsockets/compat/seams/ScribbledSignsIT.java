package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.ScribbledSigns;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a process tells its peers of its selectors can be written to by all of them: it costs others time, and no connection. */
final class ScribbledSignsIT extends SeamTest {
    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void selectorsAnswerThoughTheirSignsAreWipedOut(Transport transport) throws Exception {
        ProgramJvm program = start("program", transport, List.of(), ScribbledSigns.class);
        assertEquals(List.of("answered 5"), program.awaitEnd());
        if (transport != Transport.TCP) {
            assertOverExs(program, 2);
        }
    }
}
