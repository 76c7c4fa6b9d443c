package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Conversation;
import org.exsockets.compat.seams.programs.SelectorClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each face can be left to the JDK: its connections are TCP's and not counted, those of the others travel over EXS. */
final class FacesIT extends SeamTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"net 2", "nio 2", "aio 2", "aio+net 4"})
    void theOthersTravelOverExs(String faces, int ends) throws Exception {
        ProgramJvm program = start("program", Transport.SOFT, List.of("-Dexs.faces=" + faces), Conversation.class);
        assertEquals(CONVERSED, program.awaitEnd());
        assertEquals("", program.errors());
        assertOverExs(program, ends);
    }

    @ParameterizedTest
    @ValueSource(strings = {"net", "nio", "aio"})
    void ruleForOneFaceLeavesThatToTcp(String face) throws Exception {
        Path rules = Files.write(directory.resolve("rules"), List.of("both * * tcp " + face));
        ProgramJvm program = start("program", Transport.SOFT, List.of("-Dexs.rules=" + rules), Conversation.class);
        assertEquals(CONVERSED, program.awaitEnd());
        String statistics = program.statistics();
        assertEquals(4, Transport.connections(statistics, "soft"), program::quoted);
        assertTrue(Transport.connections(statistics, "tcp") > 0, program::quoted);
        assertTrue(statistics.contains("\"fallbacks\":{\"rule\":2}"), program::quoted);
    }

    /** What sets fields of the JDK's selectors, by reflection, needs their class. */
    @Test
    void withoutChannelsSelectorsAreTheJdks() throws Exception {
        ProgramJvm program = start("program", Transport.SOFT, List.of("-Dexs.faces=net,aio"), SelectorClass.class);
        assertEquals(List.of("selector true"), program.awaitEnd());
    }
}
