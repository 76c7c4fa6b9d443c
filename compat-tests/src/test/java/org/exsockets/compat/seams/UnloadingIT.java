package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Container;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications in class loaders of their own, the first ones in their JVM to use connections. */
final class UnloadingIT extends SeamTest {
    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void nothingKeepsAnApplicationThatHasClosedItsConnections(Transport transport) throws Exception {
        var jvm = start("container", transport, List.of(), Container.class, "sockets", "channels", "asynchronous");
        assertEquals(List.of("collected sockets", "collected channels", "collected asynchronous"), jvm.awaitEnd());
        assertEquals("", jvm.errors());
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void norWhereOtherKindsComeFirst(Transport transport) throws Exception {
        var jvm = start("container", transport, List.of(), Container.class, "asynchronous", "channels");
        assertEquals(List.of("collected asynchronous", "collected channels"), jvm.awaitEnd());
    }
}
