package org.exsockets.compat.contract;

import static org.exsockets.compat.harness.TimeLimit.Work.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.exsockets.compat.harness.Footprint;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerProgram;
import org.exsockets.compat.harness.TimeLimit;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ten thousand connections that end in one process; two others have made them. Most are idle, and what those need is bounded.
 * The process that accepts needs 10,000 descriptors, the others 5,000 each: the JVM raises the limit of open files to what the
 * system allows.
 */
@Tag("usual")
@Tag("long")
@NotOver(value = Transport.DISNI, reason = "ten thousand queue pairs are more than soft-RoCE has")
class ManyConnectionsContract extends Contract {
    private static final int FEW = 1_000;
    private static final int MANY = 10_000;
    private static final int CLIENTS = 2;
    private static final int ACTIVE = 100;
    private static final int ROUNDS = 100;

    /** Both ends together; without what the kernel has for their sockets. */
    private static final long MOST_BYTES = 64 * 1024;

    private static final int SPARE_DESCRIPTORS = 64;

    private PeerJvm server;
    private final List<PeerJvm> clients = new ArrayList<>();

    @Test
    @TimeLimit(LONG)
    void tenThousandAreOpenInOneProcessAndNeedLittleMemory() throws Exception {
        startProcesses();
        int port = Integer.parseInt(call(server, HoldingServer.class, "listen"));
        atClients("connect", port, FEW / CLIENTS);
        assertEquals(FEW, open());
        Held few = held();
        atClients("connect", port, (MANY - FEW) / CLIENTS);
        assertEquals(MANY, open());
        Held many = held();

        atClients("exchange", ACTIVE / CLIENTS, ROUNDS);
        atClients("exchange", MANY / CLIENTS, 1);
        assertEquals(MANY, open(), "all have answered");

        atClients("close");
        await("the server has seen every end", () -> open() == 0);
        call(server, HoldingServer.class, "close");
        assertEquals("", server.remains(), "the server leaves behind");
        for (PeerJvm client : clients) {
            assertEquals("", client.remains(), "a client leaves behind");
        }
        endProcesses();
        assertFewDescriptors(few, many);
        assertLittleMemory(few, many);
    }

    private void startProcesses() throws IOException {
        long descriptors =
                ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getMaxFileDescriptorCount();
        Assumptions.assumeTrue(descriptors >= MANY + FEW, "a process may have too few descriptors: " + descriptors);
        List<String> arguments = new ArrayList<>(Transport.peerArguments());
        // Their lives are short: compiling thoroughly takes longer, and memory that is not the connections'.
        arguments.add("-XX:TieredStopAtLevel=1");
        server = closing(PeerJvm.start(arguments));
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(closing(PeerJvm.start(arguments)));
        }
    }

    private int open() {
        try {
            return Integer.parseInt(call(server, HoldingServer.class, "open"));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void endProcesses() throws IOException {
        server.close();
        transport().verify(server.errors());
        for (PeerJvm client : clients) {
            client.close();
            transport().verify(client.errors());
        }
        if (transport() == Transport.SOFT) {
            assertEquals(MANY + server.endsMadeLooking(), Transport.connections(server.errors(), "soft"));
            assertEquals(0, Transport.connections(server.errors(), "tcp"), server.errors());
        }
    }

    private static void assertFewDescriptors(Held few, Held many) {
        long accepted = many.server.minus(few.server).descriptors();
        assertTrue(accepted <= MANY - FEW + SPARE_DESCRIPTORS, "descriptors of the server: " + accepted);
        for (int i = 0; i < CLIENTS; i++) {
            long made = many.clients.get(i).minus(few.clients.get(i)).descriptors();
            assertTrue(made <= (MANY - FEW) / CLIENTS + SPARE_DESCRIPTORS, "descriptors of a client: " + made);
        }
    }

    private static void assertLittleMemory(Held few, Held many) {
        long bytes = (many.bytes() - few.bytes()) / (MANY - FEW);
        String told = few + "; " + many;
        assertTrue(bytes <= MOST_BYTES, () -> bytes + " bytes for each connection: " + told);
    }

    /** What all processes hold. */
    private record Held(Footprint server, List<Footprint> clients) {
        long bytes() {
            return server.bytes() + clients.stream().mapToLong(Footprint::bytes).sum();
        }
    }

    private Held held() throws Exception {
        List<Footprint> atClients = new ArrayList<>();
        for (PeerJvm client : clients) {
            atClients.add(Footprint.parse(call(client, HoldingClient.class, "footprint")));
        }
        return new Held(Footprint.parse(call(server, HoldingServer.class, "footprint")), atClients);
    }

    /** Has all clients do the same at the same time. */
    private void atClients(Object... arguments) throws Exception {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (PeerJvm client : clients) {
            answers.add(client.runOn("holding", HoldingClient.class, arguments));
        }
        for (CompletableFuture<String> answer : answers) {
            await(answer);
        }
    }

    private static String call(PeerJvm peer, Class<? extends PeerProgram> program, Object... arguments)
            throws Exception {
        return await(peer.runOn("holding", program, arguments));
    }

    private static String await(CompletableFuture<String> answer) throws Exception {
        try {
            return Patience.get("a process answers", Patience.PROGRAM_SECONDS, answer);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
