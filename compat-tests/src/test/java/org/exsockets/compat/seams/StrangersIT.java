package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.ClosedListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes of another user, who is no peer, come to a listener over its Unix socket: nobody else notices. */
final class StrangersIT extends SiegeTest {
    /** Where a stranger stops a server, it is for as long as this; he lingers for longer. */
    private static final int MOST_SECONDS = 20;

    /** Far longer than anything takes, and far shorter than {@link #MOST_SECONDS}. */
    private static final long STANDSTILL_MS = 10_000;

    private static final int FIRST_GUESTS = 20;
    private static final int RESIDENTS = 2;

    /** What the process opens once, when somebody says nothing for the first time. */
    private static final int ONCE = 8;

    private static final int MOST_LINES = 5;

    /** A stranger says nothing on so many connections at a time. */
    private static final int SILENT = 80;

    /** So many that each place which one of them leaves is taken at once. */
    private static final int SILENT_STRANGERS = 4;

    @BeforeEach
    void prepare() throws Exception {
        prepareStrangers();
    }

    @ParameterizedTest
    @CsvSource({
        "channels, flood,     200",
        "channels, silent,    1000",
        "channels, lingering, 200",
        "channels, junk,      200",
        "channels, hello,     200",
        "channels, many,      200",
        "sockets,  lingering, 200"
    })
    void guestsAreServedWhileStrangersCome(String face, String mode, int count) throws Exception {
        String limited = mode.equals("many") ? "prlimit --nofile=200:200 " : "";
        ProgramJvm server = startServer(javaBy("java-of-server", limited), face);
        int port = Integer.parseInt(server.await("port"));
        ProgramJvm guests = startGuests(port);
        connect(guests, FIRST_GUESTS);
        awaitOpen(server, RESIDENTS);
        long descriptors = descriptors(server);
        server.tell("watch");

        ProgramJvm stranger = startStranger("stranger", Natives.listener(port), mode, MOST_SECONDS);
        Visit first = connect(guests, count);
        stranger.await("lasted");
        Visit visit = first.and(connect(guests, count));
        Tally tally = end(stranger);
        server.tell("report");
        long longestMs = Long.parseLong(server.await("longest"));
        String failures = server.await("failures");
        System.out.println("strangers: " + face + " " + mode + ": " + tally + ", " + visit + ", longest=" + longestMs
                + " ms, accept: " + failures);

        assertAll(
                () -> assertCame(mode, tally),
                () -> assertEquals(2 * count, visit.answered(), visit::toString),
                () -> assertEquals("0", visit.failures()),
                () -> assertTrue(visit.exchanged() > 0, "residents are served"),
                () -> assertTrue(visit.slowestMs() < STANDSTILL_MS, visit::toString),
                () -> assertEquals("0", failures, "accept"),
                () -> assertTrue(longestMs < STANDSTILL_MS, "nobody was served, ms: " + longestMs),
                () -> assertFewLines(server));
        awaitOpen(server, RESIDENTS);
        Patience.until("descriptors are closed", () -> descriptors(server) <= descriptors + ONCE);
        guests.end();
        assertEquals(List.of("failures 0"), guests.awaitEnd());
        server.end();
        server.awaitEnd();
        assertTrue(Transport.connections(server.statistics(), "soft") >= RESIDENTS, server::quoted);
        assertFewLines(server);
    }

    /** A client may have lost its core between its connect and its hello. */
    @Test
    void clientsThatAreSlowKeepTheirPlacesWhileStrangersSayNothing() throws Exception {
        ProgramJvm server = startServer(Path.of(ProgramJvm.javaTool("java")), "channels");
        String listener = Natives.listener(Integer.parseInt(server.await("port")));
        List<ProgramJvm> strangers = new ArrayList<>();
        for (int i = 0; i < SILENT_STRANGERS; i++) {
            strangers.add(startStranger("stranger" + i, listener, "silent", MOST_SECONDS));
        }
        ProgramJvm slow = startNative("slow", program(), listener, "slow", Integer.toString(MOST_SECONDS));
        slow.await("lasted");
        slow.end();
        int connections = Integer.parseInt(slow.await("connections"));
        String closed = slow.await("closed");
        slow.awaitEnd();
        List<Tally> tallies = new ArrayList<>();
        for (ProgramJvm each : strangers) {
            tallies.add(end(each));
        }
        System.out.println("strangers: slow: " + tallies + ", connections=" + connections + ", closed=" + closed);
        assertAll(
                () -> tallies.forEach(each -> assertTrue(each.connections() >= SILENT, each::toString)),
                () -> assertTrue(connections > 0, "slow clients"),
                () -> assertEquals("0", closed, "slow clients without a place, of " + connections));
        server.end();
        server.awaitEnd();
        assertFewLines(server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"channels", "sockets"})
    void closingAListenerDoesNotWaitForStrangersInItsBacklog(String face) throws Exception {
        Path java = Path.of(ProgramJvm.javaTool("java"));
        ProgramJvm server = startWithFewWords("server", java, List.of(), ClosedListener.class, face);
        int port = Integer.parseInt(server.await("port"));
        ProgramJvm stranger = startStranger("stranger", Natives.listener(port), "lingering", MOST_SECONDS);
        stranger.await("lasted");
        server.tell("close");
        long closedMs = Long.parseLong(server.await("closed"));
        String accepted = server.await("accepted");
        Tally tally = end(stranger);
        System.out.println("strangers: " + face + ": " + tally + ", closed after " + closedMs + " ms");
        server.awaitEnd();
        assertAll(
                () -> assertCame("lingering", tally),
                () -> assertTrue(closedMs < STANDSTILL_MS, "close took, ms: " + closedMs),
                () -> assertEquals("1", accepted),
                () -> assertOverExs(server, 2),
                () -> assertFewLines(server));
    }

    private static void assertCame(String mode, Tally tally) {
        boolean passes = List.of("lingering", "hello", "many").contains(mode);
        boolean speaks = passes || mode.equals("junk");
        assertTrue(tally.connections() > 0, tally::toString);
        assertTrue(!speaks || tally.messages() > 0, tally::toString);
        assertTrue(!passes || tally.descriptors() > 0, tally::toString);
    }

    private static void assertFewLines(ProgramJvm server) throws Exception {
        String errors = server.errors();
        assertTrue(errors.lines().count() <= MOST_LINES, errors);
    }
}
