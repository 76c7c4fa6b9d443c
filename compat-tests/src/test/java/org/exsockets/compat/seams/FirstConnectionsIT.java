package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.FirstConnections;
import org.junit.jupiter.api.Test;

/** What the first connections of a program have the JVM make. */
final class FirstConnectionsIT extends SeamTest {
    private static final String OWN = "org.exsockets.";
    private static final String LAMBDA = "$$Lambda";
    private static final String HOOK_OF_FILES = "java.nio.channels.spi.ExsTransferHook";

    /** The JVM makes a class for each when it is first used, and shapes for it: one or two milliseconds each, where a class costs a third. */
    @Test
    void noLambdaOfOursIsLinked() throws Exception {
        Path log = directory.resolve("classes");
        List<String> options = List.of("-Xlog:class+load:file=" + log);
        assertEquals(
                List.of("exchanged 40000"),
                start("program", Transport.SOFT, options, FirstConnections.class)
                        .awaitEnd());
        List<String> lambdas;
        try (Stream<String> lines = Files.lines(log)) {
            lambdas = lines.filter(line -> line.contains(OWN) && line.contains(LAMBDA))
                    .filter(line -> !line.contains(OWN + "compat."))
                    .toList();
        }
        assertEquals(List.of(), lambdas);
        try (Stream<String> lines = Files.lines(log)) {
            assertTrue(
                    lines.anyMatch(line -> line.contains(OWN + "compat.") && line.contains(LAMBDA)),
                    "lambdas are known by another name");
        }
    }

    /** For records without methods of their own the JVM makes some forty classes when two are first compared. */
    @Test
    void noRecordIsComparedByTheJvmsMethods() throws Exception {
        assertEquals(0, loaded("java.lang.runtime.ObjectMethods"));
    }

    /** Weaving takes some milliseconds, and file channels call socket channels only. */
    @Test
    void fileChannelsAreWovenForChannelsOnly() throws Exception {
        assertEquals(0, loaded(HOOK_OF_FILES, "sockets"));
        assertEquals(1, loaded(HOOK_OF_FILES));
    }

    private long loaded(String name, String... arguments) throws Exception {
        Path log = directory.resolve("loaded" + arguments.length);
        List<String> options = List.of("-Xlog:class+load:file=" + log);
        start("program" + arguments.length, Transport.SOFT, options, FirstConnections.class, arguments)
                .awaitEnd();
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(name + " ")).count();
        }
    }
}
