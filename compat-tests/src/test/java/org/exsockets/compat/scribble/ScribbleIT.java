package org.exsockets.compat.scribble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Stacks;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scribblers come to each face of a server for a minute ({@code exs.test.scribble.seconds}), each for two seconds, and are killed. Meanwhile others exchange bytes with all of
 * its faces: theirs are right, and come in time. Then the server does nothing, and has nothing left of the dead.
 *
 * <p>Others, for a third of that time, stop and live on. Whoever waits at either end of their connections goes on within seconds, or learns of a reset.
 */
@Tag("scribble")
class ScribbleIT {
    private static final long SECONDS = Long.getLong("exs.test.scribble.seconds", 60);
    private static final long SEED = Long.getLong("exs.test.scribble.seed", 1);
    private static final int CLIENTS_PER_PORT = 2;
    private static final int LIFE_MS = 2_000;
    private static final int REST_MS = 3_000;

    /** The sleeps that such a scribbler has made endless last so long at most; a look comes every second. */
    private static final int MOST_ENDLESS_SECONDS = 20;

    /** A tenth of a core: a thread that goes round and round takes all of one. */
    private static final long MOST_CPU_MS = REST_MS / 10;

    private static final List<String> OPTIONS = List.of("-Xmx256m");

    @TempDir
    Path directory;

    @Test
    void scribblersBreakTheirOwnConnectionsOnly() throws Exception {
        System.out.println("scribble: -Dexs.test.scribble.seconds=" + SECONDS + " -Dexs.test.scribble.seed=" + SEED);
        String classes = PeerJvm.classes().toString();
        List<String> program = List.of(EchoServer.class.getName());
        try (ProgramJvm server = new ProgramJvm("server", directory, true, OPTIONS, classes, program)) {
            String[] ports = server.await("ports").split(" ");
            String wrong = scribble(server, ports, classes);
            assertEquals("", wrong, () -> server.quoted());
            long before = cpuMs(server);
            Thread.sleep(REST_MS);
            long used = cpuMs(server) - before;
            assertTrue(used <= MOST_CPU_MS, () -> "CPU without a client, ms: " + used);
            server.end();
            server.awaitEnd();
            assertTrue(Transport.connections(server.statistics(), "soft") > 0, server::quoted);
        }
    }

    @Test
    void noSleepIsEndlessThoughTheScribblerLivesOn() throws Exception {
        String classes = PeerJvm.classes().toString();
        List<String> program = List.of(EchoServer.class.getName());
        try (ProgramJvm server = new ProgramJvm("server", directory, true, OPTIONS, classes, program)) {
            int scribblers = 0;
            long wrong = 0;
            for (String port : server.await("ports").split(" ")) {
                long startNs = System.nanoTime();
                do {
                    scribblers++;
                    wrong += scribbleAndLiveOn(server, port, scribblers, classes);
                } while (System.nanoTime() - startNs < SECONDS * 1_000_000_000L / 3);
            }
            System.out.println("scribble: scribblers that lived on=" + scribblers + ", connections broken=" + wrong);
            assertTrue(wrong > 0, server::quoted);
        }
    }

    /** {@return how many connections it has broken} */
    private long scribbleAndLiveOn(ProgramJvm server, String port, int number, String classes) throws Exception {
        List<String> program =
                List.of(Scribbler.class.getName(), port, Long.toString(SEED + number), Integer.toString(LIFE_MS));
        try (ProgramJvm scribbler = new ProgramJvm("scribbler" + number, directory, true, OPTIONS, classes, program)) {
            scribbler.await("stopped");
            long stoppedNs = System.nanoTime();
            long wrong = Long.parseLong(scribbler.await("returned"));
            while (Stacks.of(server.process().pid()).contains("\"socket\"")) {
                assertTrue(secondsSince(stoppedNs) <= MOST_ENDLESS_SECONDS, server::quoted);
            }
            assertTrue(secondsSince(stoppedNs) <= MOST_ENDLESS_SECONDS, server::quoted);
            return wrong;
        }
    }

    private static long secondsSince(long startNs) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
    }

    private String scribble(ProgramJvm server, String[] ports, String classes) throws Exception {
        List<Client> clients = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < ports.length * CLIENTS_PER_PORT; i++) {
            Client client = new Client(Integer.parseInt(ports[i % ports.length]), Client.PATIENCE_MS, SEED + i);
            Thread thread = new Thread(client, "client " + i);
            thread.start();
            clients.add(client);
            threads.add(thread);
        }
        int scribblers = 0;
        for (String port : ports) {
            long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < SECONDS * 1_000_000_000L) {
                scribblers++;
                List<String> program = List.of(Scribbler.class.getName(), port, Long.toString(SEED + scribblers));
                ProgramJvm scribbler =
                        new ProgramJvm("scribbler" + scribblers, directory, true, OPTIONS, classes, program);
                Thread.sleep(LIFE_MS);
                scribbler.close();
                assertTrue(server.process().isAlive(), server::quoted);
            }
        }
        clients.forEach(Client::end);
        StringBuilder wrong = new StringBuilder();
        long exchanges = 0;
        for (int i = 0; i < clients.size(); i++) {
            threads.get(i).join(TimeUnit.SECONDS.toMillis(Patience.CALL_SECONDS));
            assertFalse(threads.get(i).isAlive(), "a client waits");
            wrong.append(clients.get(i).wrong());
            exchanges += clients.get(i).exchanges();
        }
        System.out.println("scribble: scribblers=" + scribblers + ", exchanges of others=" + exchanges);
        return wrong.toString();
    }

    private static long cpuMs(ProgramJvm program) {
        return program.process().info().totalCpuDuration().orElseThrow().toMillis();
    }
}
