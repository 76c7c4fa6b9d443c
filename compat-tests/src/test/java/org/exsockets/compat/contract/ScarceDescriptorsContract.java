package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.exsockets.compat.harness.Face;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.TestHost;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that has no descriptors left, or too few, loses no connection: its clients wait until it can accept them. */
@Tag("usual")
@NotOver(value = Transport.DISNI, reason = "how many descriptors the verbs libraries need is not known")
class ScarceDescriptorsContract extends Contract {
    private static final String LIMIT = "--nofile=400:400";

    private static final long LOOKS_NS = 2_500_000_000L;

    /** With as many, a connection can be accepted over every transport. */
    private static final int ENOUGH = 6;

    @ParameterizedTest
    @EnumSource(Face.class)
    void clientsOfAProcessWithoutDescriptorsWaitUntilItCanAcceptThem(Face face) throws Exception {
        PeerJvm scarce = closing(PeerJvm.start(List.of("prlimit", LIMIT), Transport.peerArguments()));
        int port = Integer.parseInt(run(scarce, "listen", face));
        assertAccepted(scarce, port, ENOUGH); // Has its classes loaded: that takes descriptors.
        for (int free = 0; free < ENOUGH; free++) {
            String first = assertAccepted(scarce, port, free);
            if (free == 0) {
                assertEquals("Too many open files", first);
            } else {
                assertTrue(first.matches("accepted|Too many open files"), first);
            }
        }
        assertEquals("accepted", assertAccepted(scarce, port, ENOUGH));
    }

    /** Sleeping on a connection must not need what is not there any more: a connection that exists goes on. */
    @ParameterizedTest
    @EnumSource(Face.class)
    void theFirstConnectionOfAProcessGoesOnWhenItsDescriptorsRunOut(Face face) throws Exception {
        PeerJvm scarce = closing(PeerJvm.start(List.of("prlimit", LIMIT), Transport.peerArguments()));
        Socket client = closing(new Socket(TestHost.NAME, Integer.parseInt(run(scarce, "listen", face))));
        assertEquals("accepted", assertAccepted(client, scarce, ENOUGH));
        assertEquals("none came", run(scarce, "answer"));
        client.getOutputStream().write(1);
        assertEquals("answered", run(scarce, "answer"));
        assertEquals(1, client.getInputStream().read());
    }

    /** Whatever the first use lacks, the next one does not. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 7, 9})
    void firstSocketsWithoutDescriptorsSpoilNothing(int free) throws Exception {
        PeerJvm scarce = closing(PeerJvm.start(List.of("prlimit", LIMIT), Transport.peerArguments()));
        assertEquals("read 1", PeerJvm.await(scarce.runOn("scarce", ScarceFirst.class, free)));
        scarce.close();
        if (transport() == Transport.SOFT) {
            assertTrue(Transport.connections(scarce.errors(), "soft") >= 2, scarce.errors());
        }
    }

    /** What it keeps of others for its next connections it looks through now and then: for longer than between two looks. */
    @Test
    void aProcessWithoutDescriptorsTakesNothingFromOthers() throws Exception {
        PeerJvm scarce = closing(PeerJvm.start(List.of("prlimit", LIMIT), Transport.peerArguments()));
        int port = Integer.parseInt(run(scarce, "listen", Face.NIO));
        long endNs = System.nanoTime() + LOOKS_NS;
        while (System.nanoTime() < endNs) {
            try (Socket client = new Socket(TestHost.NAME, port)) {
                assertEquals("accepted", assertAccepted(client, scarce, ENOUGH));
            }
            run(scarce, "close");
        }
    }

    private String assertAccepted(PeerJvm scarce, int port, int free) throws Exception {
        return assertAccepted(closing(new Socket(TestHost.NAME, port)), scarce, free);
    }

    /** Has a client's connection accepted, after it was made. */
    private static String assertAccepted(Socket client, PeerJvm scarce, int free) throws Exception {
        client.setSoTimeout(Patience.NEVER_MS);
        client.getOutputStream().write(free + 1);
        String first = run(scarce, "accept", free);
        assertEquals(free + 1, client.getInputStream().read(), () -> "free=" + free);
        return first;
    }

    private static String run(PeerJvm scarce, Object... arguments) throws Exception {
        CompletableFuture<String> answer = scarce.runOn("scarce", ScarceAccepts.class, arguments);
        return PeerJvm.await(answer);
    }
}
