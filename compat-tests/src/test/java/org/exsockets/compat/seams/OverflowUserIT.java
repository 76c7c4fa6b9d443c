package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.Pages;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * In a user namespace every user without a number there is the overflow user, 65534: it is nobody's own user, and owns no port; only
 * {@code exs.peers=unmapped} allows it. Making the namespaces takes root.
 */
final class OverflowUserIT extends SeamTest {
    private static final int ONE = 54_321;
    private static final int OTHER = 54_322;
    private static final int NOBODY = 65_534;
    private static final int WITH_A_NUMBER = 1_007;

    /** Numbers in the namespace, the machine's, how many. */
    private static final String MAP = "0 100000 65536\n";

    private static final int SQUATTER_SECONDS = 300;

    private Path agent;
    private int holders;

    @BeforeEach
    void letEverybodyIn() throws Exception {
        agent = agentForEverybody();
        jar();
        assumeRuns(script("as-other", "exec " + as(OTHER) + "true"), "no other user to be had");
    }

    /** Where a program runs, and as whom. */
    private enum Place {
        /** A user of the machine. */
        ONE_OUTSIDE,
        /** Another user of the machine. */
        OTHER_OUTSIDE,
        /** A user with a number, in a namespace with 64 Ki of them. */
        MAPPED,
        /** The user there whose number is the overflow user's. */
        MAPPED_NOBODY,
        /** Root of a namespace in which {@link #ONE} is root, and has the only number. */
        ROOTLESS,
        /** {@link #ONE} in a namespace without numbers. */
        WITHOUT_NUMBERS
    }

    private static String as(int user) {
        return "setpriv --reuid=" + user + " --regid=" + user + " --clear-groups ";
    }

    /** {@return a command that runs another one in a new namespace, or in that of an earlier call} */
    private String commandOf(Place place) throws Exception {
        return switch (place) {
            case ONE_OUTSIDE -> as(ONE);
            case OTHER_OUTSIDE -> as(OTHER);
            case MAPPED -> enter(mapped()) + user(WITH_A_NUMBER);
            case MAPPED_NOBODY -> enter(mapped()) + user(NOBODY);
            case ROOTLESS -> enter(namespace(as(ONE), "--map-root-user ")) + user(0);
            case WITHOUT_NUMBERS -> as(ONE) + enter(namespace(as(ONE), "")) + "--preserve-credentials ";
        };
    }

    private static String enter(ProgramJvm holder) {
        return "nsenter --user --target " + holder.process().pid() + " ";
    }

    private static String user(int number) {
        return "--setuid " + number + " --setgid " + number + " ";
    }

    private ProgramJvm mapped() throws Exception {
        ProgramJvm holder = namespace("", "");
        try {
            for (String map : List.of("gid_map", "uid_map")) {
                Files.writeString(
                        Path.of("/proc", Long.toString(holder.process().pid()), map), MAP);
            }
        } catch (IOException e) {
            Assumptions.abort("no numbers to be had for a namespace: " + e.getMessage());
        }
        return holder;
    }

    /** {@return a process that keeps a new namespace} */
    private ProgramJvm namespace(String as, String options) throws Exception {
        String keep = "sh -c 'echo made 1; exec cat' ";
        ProgramJvm holder = startNative("holder" + holders++, as + "unshare --user " + options + keep);
        try {
            holder.await("made");
        } catch (AssertionError e) {
            Assumptions.abort("no user namespace to be had: " + e.getMessage());
        }
        return holder;
    }

    private ProgramJvm start(String name, String command, List<String> options, String... arguments) throws Exception {
        Path own = directoryForEverybody("own-" + name);
        List<String> all = new ArrayList<>(List.of(ProgramJvm.QUICK, "-Djava.io.tmpdir=" + own));
        all.addAll(options);
        all.addAll(List.of("-cp", directory.resolve("programs.jar").toString(), Pages.class.getName()));
        all.addAll(List.of(arguments));
        return start(name, javaBy("java-" + name, command), all);
    }

    private List<String> withAgent(String peers) {
        return List.of("-javaagent:" + agent, "-Dexs.stats=stderr", "-Dexs.timeout=60000", "-Dexs.peers=" + peers);
    }

    @ParameterizedTest
    @CsvSource({
        // the server, the client, exs.peers of both, over EXS
        "MAPPED,          MAPPED,          user,           user,           true",
        "ROOTLESS,        ROOTLESS,        user,           user,           true",
        "MAPPED_NOBODY,   MAPPED_NOBODY,   user,           user,           false",
        "WITHOUT_NUMBERS, WITHOUT_NUMBERS, user,           user,           false",
        "ONE_OUTSIDE,     MAPPED_NOBODY,   any,            user,           false",
        "MAPPED_NOBODY,   ONE_OUTSIDE,     user,           any,            false",
        "OTHER_OUTSIDE,   WITHOUT_NUMBERS, any,            user,           false",
        "WITHOUT_NUMBERS, OTHER_OUTSIDE,   user,           any,            false",
        "ONE_OUTSIDE,     MAPPED,          any,            any,            false",
        "MAPPED,          ONE_OUTSIDE,     any,            any,            false",
        "ONE_OUTSIDE,     MAPPED,          any,            65534,          false",
        "ONE_OUTSIDE,     MAPPED,          any,            'any,unmapped', true",
        "MAPPED,          ONE_OUTSIDE,     'any,unmapped', any,            true",
        "ONE_OUTSIDE,     MAPPED,          any,            unmapped,       true",
        "ONE_OUTSIDE,     MAPPED,          user,           'any,unmapped', false"
    })
    void theOverflowUserIsNobodysOwn(
            Place server, Place client, String serversPeers, String clientsPeers, boolean overExs) throws Exception {
        String serverBy = commandOf(server);
        String clientBy = client == server ? serverBy : commandOf(client);
        ProgramJvm serving = start("server", serverBy, withAgent(serversPeers));
        String port = serving.await("port");
        assertTrue(Natives.listens(Integer.parseInt(port)), "the server listens over EXS");
        ProgramJvm asking = start("client", clientBy, withAgent(clientsPeers), port);
        assertEquals(List.of("page true"), asking.awaitEnd());
        String counted = asking.errors();
        assertEquals(overExs ? 1 : 0, Transport.connections(counted, "soft"), counted);
        assertEquals(overExs ? 0 : 1, Transport.connections(counted, "tcp"), counted);
        if (!overExs) {
            assertTrue(Transport.fallbacks(counted, "other-user") > 0, counted);
        }
        serving.end();
        serving.awaitEnd();
    }

    /** A user takes the name of a listener at the port of another user's TCP server: TCP leads to that server. */
    @ParameterizedTest
    @CsvSource({"MAPPED_NOBODY, user", "WITHOUT_NUMBERS, user", "MAPPED, any"})
    void nobodyStandsInForTheOwnerOfAPort(Place client, String peers) throws Exception {
        Path stranger = Natives.compile("stranger", directory);
        ProgramJvm any = start("any", as(ONE), withAgent("user"));
        ProgramJvm serving = start("server", as(ONE), List.of());
        String prefix = Natives.listener(Integer.parseInt(any.await("port")));
        String port = serving.await("port");
        String name = prefix.substring(0, prefix.lastIndexOf('/') + 1) + port;
        ProgramJvm squatter =
                startNative("squatter", as(OTHER) + stranger, name, "squat", Integer.toString(SQUATTER_SECONDS));
        squatter.await("begun");
        ProgramJvm asking = start("client", commandOf(client), withAgent(peers), port);
        List<String> said = asking.awaitOutput();
        String counted = asking.errors();
        squatter.end();
        String connections = squatter.await("connections");
        String bytes = squatter.await("bytes");
        squatter.awaitEnd();
        assertAll(
                () -> assertTrue(Integer.parseInt(connections) > 0, "nobody has come to the squatter"),
                () -> assertEquals("0", bytes, "what the squatter has been told"),
                () -> assertEquals(List.of("page true"), said, counted),
                () -> assertEquals(0, Transport.connections(counted, "soft"), counted),
                () -> assertTrue(Transport.fallbacks(counted, "other-user") > 0, counted));
        for (ProgramJvm each : List.of(any, serving)) {
            each.end();
            each.awaitEnd();
        }
    }
}
