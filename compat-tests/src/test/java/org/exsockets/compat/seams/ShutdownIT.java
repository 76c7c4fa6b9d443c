package org.exsockets.compat.seams;

import static org.exsockets.compat.harness.PeerJvm.classes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.BusyClient;
import org.exsockets.compat.seams.programs.BusyServer;
import org.exsockets.compat.seams.programs.LastWords;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server with busy connections whose JVM ends: by {@code System.exit} and by SIGTERM, with and without a farewell. */
final class ShutdownIT extends SeamTest {
    @ParameterizedTest
    @CsvSource({
        "TCP,farewell,signal", "TCP,nothing,exit", "TCP,nothing,signal",
        "SOFT,farewell,signal", "SOFT,nothing,exit", "SOFT,nothing,signal"
    })
    void peersReadAllThatWasWrittenAndThenTheEnd(Transport transport, String mode, String how) throws Exception {
        ProgramJvm server = start("server", transport, List.of(), BusyServer.class, mode);
        String[] ports = server.await("serving").split(" ");
        ProgramJvm client = start("client", transport, List.of(), BusyClient.class, ports);
        client.await("reading");
        if (how.equals("exit")) {
            server.tell("exit");
        } else {
            assertTrue(server.process().destroy());
        }
        List<String> received = client.awaitEnd();
        assertEquals(how.equals("exit") ? 0 : 143, server.awaitCode());
        String end = mode.equals("farewell") ? "end of stream after the farewell" : "end of stream";
        long total = 0;
        for (String line : received) {
            assertTrue(line.startsWith("received ") && line.endsWith(" " + end), received.toString());
            total += Long.parseLong(line.split(" ")[1]);
        }
        assertEquals(4, received.size());
        long written = 0;
        for (int i = 0; i < received.size(); i++) {
            written += Long.parseLong(server.await("written"));
        }
        assertTrue(total >= written, "received " + total + ", written " + written);
        if (transport != Transport.TCP) {
            assertOverExs(client, 4);
            assertOverExs(server, 4);
        }
    }

    /** The process that speaks writes no statistics: only its connection needs the end of the JVM to be looked after. */
    @ParameterizedTest
    @CsvSource({"TCP,speak", "TCP,speak-at-exit", "SOFT,speak", "SOFT,speak-at-exit"})
    void aConnectionThatNobodyHasClosedEndsWithTheProcess(Transport transport, String when) throws Exception {
        ProgramJvm listening = start("listening", transport, List.of(), LastWords.class, "listen");
        List<String> options = new ArrayList<>();
        if (transport != Transport.TCP) {
            options.add("-javaagent:" + agentJar());
        }
        options.addAll(
                List.of("-cp", classes().toString(), LastWords.class.getName(), when, listening.await("serving")));
        ProgramJvm speaking = start("speaking", Path.of(ProgramJvm.javaTool("java")), options);
        assertEquals(List.of("received 3 end of stream"), listening.awaitEnd());
        assertEquals(List.of(), speaking.awaitEnd());
        if (transport != Transport.TCP) {
            assertOverExs(listening, 1);
        }
    }
}
