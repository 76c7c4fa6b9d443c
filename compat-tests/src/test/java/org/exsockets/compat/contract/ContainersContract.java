package org.exsockets.compat.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.NotOver;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.PeerProgram;
import org.exsockets.compat.harness.Transport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The containers of a pod share a network and nothing else: each process has mounts, process ids, interprocess communication and a
 * {@code /dev/shm} of its own. Making them takes root.
 */
@Tag("usual")
@NotOver(value = Transport.DISNI, reason = "the machines with adapters have one process of each kind")
class ContainersContract extends Contract {
    private static final int CONNECTIONS = 20;
    private static final int ROUNDS = 10;

    private static List<String> container(String... command) {
        List<String> all = new ArrayList<>(List.of("unshare", "--mount", "--pid", "--ipc", "--fork", "--kill-child"));
        all.addAll(
                List.of("sh", "-c", "mount -t tmpfs none /dev/shm && mount -t proc none /proc && exec \"$@\"", "sh"));
        all.addAll(List.of(command));
        return all;
    }

    @Test
    void processesOfContainersMeet() throws Exception {
        Process tried = new ProcessBuilder(container("true"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Patience.await("a container", tried::waitFor);
        Assumptions.assumeTrue(tried.exitValue() == 0, "no namespaces to be had");

        PeerJvm server = closing(PeerJvm.start(container(), Transport.peerArguments()));
        PeerJvm client = closing(PeerJvm.start(container(), Transport.peerArguments()));
        int port = Integer.parseInt(call(server, HoldingServer.class, "listen"));
        for (int times = 0; times < 2; times++) { // Later connections may find what earlier ones have left.
            call(client, HoldingClient.class, "connect", port, CONNECTIONS);
            call(client, HoldingClient.class, "exchange", CONNECTIONS, ROUNDS);
            assertEquals(Integer.toString(CONNECTIONS), call(server, HoldingServer.class, "open"));
            call(client, HoldingClient.class, "close");
            await("the server has seen every end", () -> open(server) == 0);
        }
        call(server, HoldingServer.class, "close");
        client.close();
        server.close();
        transport().verify(client.errors());
        transport().verify(server.errors());
    }

    private static int open(PeerJvm server) {
        try {
            return Integer.parseInt(call(server, HoldingServer.class, "open"));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String call(PeerJvm peer, Class<? extends PeerProgram> program, Object... arguments)
            throws Exception {
        return PeerJvm.await(peer.runOn("containers", program, arguments));
    }
}
