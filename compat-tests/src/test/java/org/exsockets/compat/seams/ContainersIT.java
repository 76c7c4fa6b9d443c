package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Pages;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Containers of a pod, each with a user, mounts, process ids and interprocess communication of its own: an HTTP server in one, its client in another.
 * Making them takes root.
 */
final class ContainersIT extends SeamTest {
    private static final int SERVER = 54_321;
    private static final int CLIENT = 54_322;
    private static final String ALONE = "mount -t tmpfs none /dev/shm && mount -t proc none /proc && exec ";
    private static final String NAMESPACES = "unshare --mount --pid --ipc --fork --kill-child ";

    private Path agent;

    @BeforeEach
    void letEverybodyIn() throws IOException {
        agent = agentForEverybody();
    }

    /** {@return a command in place of {@code java}, as that user, with the numbers of the machine's users or of its own namespace} */
    private Path container(int user, boolean ownUsers) throws IOException {
        String become = "setpriv --reuid=" + user + " --regid=" + user + " --clear-groups ";
        String command = ownUsers
                ? become + NAMESPACES + "--user --map-root-user sh -c '" + ALONE + "\"$@\"' sh "
                : NAMESPACES + "sh -c '" + ALONE + become + "\"$@\"' sh ";
        return javaBy("java" + user, command);
    }

    private ProgramJvm start(String name, Path java, int user, List<String> options, String... arguments)
            throws Exception {
        Path own = directoryForEverybody("own-" + name);
        List<String> all = new ArrayList<>(List.of(ProgramJvm.QUICK, "-Djava.io.tmpdir=" + own));
        all.addAll(options);
        all.addAll(List.of("-javaagent:" + agent, "-Dexs.stats=stderr", "-Dexs.timeout=60000"));
        all.addAll(List.of("-cp", directory.resolve("programs.jar").toString(), Pages.class.getName()));
        all.addAll(List.of(arguments));
        return start(name, java, all);
    }

    @ParameterizedTest
    @CsvSource({
        // user namespaces of their own, exs.peers of the server, of the client, over EXS
        "true,  'any,unmapped', 'any,unmapped', true",
        "true,  any,            'any,unmapped', false",
        "false, any,            any,            true",
        "false, 54322,          54321,          true",
        "false, 54322,          user,           false",
        "false, user,           54321,          false",
        "true,  user,           user,           false"
    })
    void differentUsersMeetWhereBothAreTold(boolean ownUsers, String server, String client, boolean overExs)
            throws Exception {
        jar();
        Path javaOfServer = container(SERVER, ownUsers);
        Path javaOfClient = container(CLIENT, ownUsers);
        for (Path java : List.of(javaOfServer, javaOfClient)) {
            assumeRuns(java, "no namespaces, or no users, to be had");
        }
        ProgramJvm serving = start("server", javaOfServer, SERVER, List.of("-Dexs.peers=" + server));
        String port = serving.await("port");
        ProgramJvm asking = start("client", javaOfClient, CLIENT, List.of("-Dexs.peers=" + client), port);
        assertEquals(List.of("page true"), asking.awaitEnd());
        String counted = asking.errors();
        if (overExs) {
            assertEquals(1, Transport.connections(counted, "soft"), counted);
            assertEquals(0, Transport.connections(counted, "tcp"), counted);
        } else {
            assertEquals(0, Transport.connections(counted, "soft"), counted);
            assertTrue(Transport.fallbacks(counted, "other-user") > 0, counted);
        }
        serving.end();
        serving.awaitEnd();
    }
}
