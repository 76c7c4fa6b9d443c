package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Without;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Where the heap is full, or there is no thread or no room for a file to be had, sockets fail as they do over TCP; when it is over they travel over EXS, be they the first ones
 * or later ones: nothing is broken for good. (Where nothing can be mapped, the JVM itself may end, with or without EXS.)
 */
final class WithoutIT extends SeamTest {
    private static final List<String> OPENED = List.of("sockets: ok", "channels: ok", "asynchronous: ok");
    private static final int USER = 54_323;
    private static final int THREADS = 100;

    private static List<String> expected(String when) {
        List<String> lines = new ArrayList<>(when.equals("later") ? List.of("the connection goes on") : List.of());
        lines.addAll(OPENED);
        return lines;
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SOFT"})
    void aFullHeapBreaksNothing(Transport transport) throws Exception {
        List<String> little = List.of("-Xmx16m", "-XX:+UseSerialGC");
        ProgramJvm program = start("heap", transport, little, Without.class, "heap", "later", name(transport));
        assertEquals(expected("later"), program.awaitEnd(), program::quoted);
    }

    @ParameterizedTest
    @CsvSource({"TCP, later", "SOFT, first", "SOFT, later"})
    void wantOfRoomForFilesBreaksNothing(Transport transport, String when) throws Exception {
        ProgramJvm program = start("files", transport, List.of(), Without.class, "files", when, name(transport));
        assertEquals(expected(when), program.awaitEnd(), program::quoted);
    }

    /** As a user who may have few: of the superuser there is no limit. Becoming one takes root. */
    @ParameterizedTest
    @CsvSource({"TCP, later", "SOFT, first", "SOFT, later"})
    void wantOfThreadsBreaksNothing(Transport transport, String when) throws Exception {
        Path agent = agentForEverybody();
        String limited = "prlimit --nproc=" + THREADS + ":" + THREADS + " setpriv --reuid=" + USER + " --regid=" + USER
                + " --clear-groups ";
        Path java = javaBy("java", limited);
        assumeRuns(java, "no other user to be had");
        List<String> all = new ArrayList<>(List.of(
                ProgramJvm.QUICK,
                "-Xlog:disable",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + directoryForEverybody("own")));
        if (transport != Transport.TCP) {
            all.add("-javaagent:" + agent);
        }
        all.addAll(List.of("-cp", jar().toString(), Without.class.getName(), "threads", when, name(transport)));
        ProgramJvm program = start("threads", java, all);
        assertEquals(expected(when), program.awaitEnd(), program::quoted);
    }

    private static String name(Transport transport) {
        return transport.name().toLowerCase(Locale.ROOT);
    }
}
