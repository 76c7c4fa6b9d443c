package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.WithoutDirectMemory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets and channels of a program that has used up its direct memory travel over EXS all the same, be they its first ones or later ones. */
final class WithoutDirectMemoryIT extends SeamTest {
    private static final List<String> LITTLE = List.of("-XX:MaxDirectMemorySize=1m");

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void socketsWorkAsOverTcp(String before) throws Exception {
        ProgramJvm plain = start("plain", Transport.TCP, LITTLE, WithoutDirectMemory.class, before);
        ProgramJvm soft = start("soft", Transport.SOFT, LITTLE, WithoutDirectMemory.class, before);
        List<String> overTcp = plain.awaitEnd();
        assertEquals(overTcp, soft.awaitEnd(), soft.errors());
        assertTrue(overTcp.contains("without 1, channels: ok"), overTcp.toString());
        assertTrue(overTcp.contains("with, sockets: ok"), overTcp.toString());
        String statistics = soft.statistics();
        assertTrue(Transport.connections(statistics, "soft") >= 18, soft::quoted);
        assertEquals(0, Transport.connections(statistics, "tcp"), soft::quoted);
    }
}
