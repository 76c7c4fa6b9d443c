package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Conversation;
import org.exsockets.compat.seams.programs.SelectorClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each face can be left to the JDK: its connections are TCP's and not counted, those of the others travel over EXS. */
final class FacesIT extends SeamTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"net 2", "nio 2", "aio 2", "net,aio 4", "aio+nio 4", "net,nio,aio 6"})
    void theOthersTravelOverExs(String faces, int ends) throws Exception {
        ProgramJvm program = start("program", Transport.SOFT, List.of("-Dexs.faces=" + faces), Conversation.class);
        assertEquals(CONVERSED, program.awaitEnd());
        assertEquals("", program.errors());
        assertOverExs(program, ends);
    }

    /** What sets fields of the JDK's selectors, by reflection, needs their class. */
    @ParameterizedTest
    @ValueSource(strings = {"net", "aio", "net,aio"})
    void withoutChannelsSelectorsAreTheJdks(String faces) throws Exception {
        ProgramJvm program = start("program", Transport.SOFT, List.of("-Dexs.faces=" + faces), SelectorClass.class);
        assertEquals(List.of("selector true"), program.awaitEnd());
    }
}
