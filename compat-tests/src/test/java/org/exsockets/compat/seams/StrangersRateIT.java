package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.exsockets.compat.harness.ProgramJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How much strangers cost a server's own connections, for {@code exs.test.strangers.seconds} or more each, beside somebody who does the
 * same to a listener of his own. It judges speed: run on a machine that has nothing else to do.
 */
@Tag("strangers")
final class StrangersRateIT extends SiegeTest {
    private static final int SECONDS = Integer.getInteger("exs.test.strangers.seconds", 10);

    /**
     * Attack and control take turns, and medians are compared: with more threads at work than cores, threads of one exchange sleep or
     * spin for seconds, and rates differ twofold between two turns that are alike.
     */
    private static final int TURNS = 20;

    /**
     * The server has a processor of its own, strangers share that of its guests. So what strangers cost is what the server does for
     * them, and what they do themselves costs the same in attack and control. Where processes lie as it happens, the rate beside a
     * control depends by half on whom that meets. Beside the server, who gets less of its processor then, it is 71 to 79 %.
     */
    private static final int SERVERS_CORE = 0;

    private static final int GUESTS_CORE = 1;

    private static final int MS = 1_000;
    private static final int GUESTS = 1_000;
    private static final int WARM_UP_GUESTS = 2_000;
    private static final int SLOWEST_MS = 1_000;
    private static final double LEAST_OF_CONTROL = 0.8;

    /** The time limit of a stranger whom the test does not end. */
    private static final int MOST_SECONDS = SECONDS + 20;

    private long count(ProgramJvm guests, int seconds) throws Exception {
        guests.tell("count " + seconds * MS);
        return Long.parseLong(guests.await("exchanged")) / seconds;
    }

    private static ProgramJvm pin(ProgramJvm program, int core) throws Exception {
        String pid = Long.toString(program.process().pid());
        Process taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", Integer.toString(core), pid).start();
        assertEquals(0, taskset.waitFor(), "taskset");
        return program;
    }

    private ProgramJvm startBesideGuests(String name, String listener, String mode) throws Exception {
        return pin(startStranger(name, listener, mode, MOST_SECONDS), GUESTS_CORE);
    }

    private static long median(long[] rates) {
        long[] sorted = rates.clone();
        Arrays.sort(sorted);
        return (sorted[TURNS / 2 - 1] + sorted[TURNS / 2]) / 2;
    }

    @ParameterizedTest
    @ValueSource(strings = {"flood", "silent", "lingering", "crowd", "many", "junk", "hello"})
    void strangersCostLittleMoreThanIfTheyCameToOthers(String mode) throws Exception {
        prepareStrangers();
        ProgramJvm server = pin(startServer(Path.of(ProgramJvm.javaTool("java")), "channels"), SERVERS_CORE);
        int port = Integer.parseInt(server.await("port"));
        String listener = Natives.listener(port);
        ProgramJvm guests = pin(startGuests(port), GUESTS_CORE);
        connect(guests, WARM_UP_GUESTS);
        long alone = count(guests, 1);
        int seconds = Math.max(1, SECONDS / TURNS);
        long[] attacks = new long[TURNS];
        long[] controls = new long[TURNS];
        List<Tally> tallies = new ArrayList<>();
        Visit visit = new Visit(0, 0, "0", 0);
        for (int i = 0; i < TURNS; i++) {
            ProgramJvm control = startBesideGuests("control" + i, listener, "own-" + mode);
            controls[i] = count(guests, seconds);
            end(control);
            ProgramJvm stranger = startBesideGuests("stranger" + i, listener, mode);
            attacks[i] = count(guests, seconds);
            visit = visit.and(connect(guests, GUESTS / TURNS));
            tallies.add(end(stranger));
        }
        long attacked = median(attacks);
        long controlled = median(controls);
        double share = (double) attacked / controlled;
        long slowestMs = visit.slowestMs();
        int answered = visit.answered();
        String failures = visit.failures();
        long connections = tallies.stream().mapToLong(Tally::connections).sum();
        System.out.printf(
                "strangers | %-9s | exchanges/s alone %6d | control %6d | attack %6d | %3.0f %% | connects %d of %d, slowest %d ms,"
                        + " failures %s | strangers' connections %d%n",
                mode, alone, controlled, attacked, share * 100, answered, GUESTS, slowestMs, failures, connections);
        assertAll(
                () -> assertTrue(connections > 0, "strangers have come"),
                () -> assertEquals("0", failures),
                () -> assertEquals(GUESTS, answered),
                () -> assertTrue(slowestMs <= SLOWEST_MS, "slowest connect, ms: " + slowestMs),
                () -> assertTrue(share >= LEAST_OF_CONTROL, "rate, of that beside who comes to others: " + share));
        guests.end();
        assertEquals(List.of("failures 0"), guests.awaitEnd());
        server.end();
        server.awaitEnd();
    }
}
