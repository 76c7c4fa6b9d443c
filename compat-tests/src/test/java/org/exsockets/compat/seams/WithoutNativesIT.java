package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Conversation;
import org.junit.jupiter.api.Test;

/** Where there is no native library for the machine, programs have their conversations over TCP, and the reason is counted. */
final class WithoutNativesIT extends SeamTest {
    @Test
    void thereIsNoSharedMemory() throws Exception {
        ProgramJvm program =
                start("program", Transport.SOFT, List.of("-Dos.arch=another", "-Dexs.device=soft"), Conversation.class);
        assertEquals(CONVERSED, program.awaitEnd());
        String statistics = program.statistics();
        assertEquals(0, Transport.connections(statistics, "soft"), program::quoted);
        assertTrue(statistics.contains("\"native-missing\":"), program::quoted);
        assertTrue(
                program.quoted().contains("device soft cannot be used now: the native library libexspoll.so"),
                program::quoted);
    }
}
