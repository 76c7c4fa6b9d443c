package org.exsockets.compat.seams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerJvm;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.seams.programs.Besieged;
import org.exsockets.compat.seams.programs.Guests;

/** A server with its own user's guests, and strangers of another user, {@code stranger.c}. Becoming another user takes root. */
abstract class SiegeTest extends SeamTest {
    private static final int USER = 54_323;
    static final String AS_STRANGER = "setpriv --reuid=" + USER + " --regid=" + USER + " --clear-groups ";

    /** What strangers did. */
    record Tally(long connections, long messages, long descriptors) {}

    /** What guests found. */
    record Visit(int answered, long slowestMs, String failures, long exchanged) {
        /** {@return both} {@code later}: its failures include those of this one. */
        Visit and(Visit later) {
            return new Visit(
                    answered + later.answered,
                    Math.max(slowestMs, later.slowestMs),
                    later.failures,
                    exchanged + later.exchanged);
        }
    }

    private Path stranger;

    /** With what it writes by default, but for statistics. */
    final ProgramJvm startWithFewWords(
            String name, Path java, List<String> options, Class<?> program, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(ProgramJvm.QUICK, "-javaagent:" + agentJar()));
        all.add("-Dexs.stats=" + directory.resolve(name).resolve("stats"));
        all.addAll(options);
        all.addAll(List.of("-cp", PeerJvm.classes().toString(), program.getName()));
        all.addAll(List.of(arguments));
        return start(name, java, all);
    }

    final ProgramJvm startServer(Path java, String face) throws Exception {
        return startWithFewWords("server", java, List.of(), Besieged.class, face);
    }

    /** Starts guests, two of whom stay. */
    final ProgramJvm startGuests(int port, String... options) throws Exception {
        Path java = Path.of(ProgramJvm.javaTool("java"));
        ProgramJvm guests = startWithFewWords("guests", java, List.of(options), Guests.class);
        guests.tell("serve " + port);
        guests.await("connected");
        return guests;
    }

    /** Compiles the strangers' program; the test is not run where there cannot be one. */
    final void prepareStrangers() throws Exception {
        agentForEverybody();
        stranger = Natives.compile("stranger", directory);
        assumeRuns(script("as-stranger", "exec " + AS_STRANGER + "true"), "no other user to be had");
    }

    /** {@return the strangers' program, for somebody who is none} */
    final String program() {
        return stranger.toString();
    }

    /** Sends a stranger, who has come when this returns. */
    final ProgramJvm startStranger(String name, String listener, String mode, int mostSeconds) throws Exception {
        String command = AS_STRANGER + stranger;
        ProgramJvm started = startNative(name, command, listener, mode, Integer.toString(mostSeconds));
        started.await("begun");
        return started;
    }

    static Tally end(ProgramJvm stranger) throws Exception {
        stranger.end();
        long connections = Long.parseLong(stranger.await("connections"));
        long messages = Long.parseLong(stranger.await("messages"));
        long descriptors = Long.parseLong(stranger.await("descriptors"));
        stranger.awaitEnd();
        return new Tally(connections, messages, descriptors);
    }

    static Visit connect(ProgramJvm guests, int count) throws Exception {
        guests.tell("connect " + count);
        int answered = Integer.parseInt(guests.await("answered"));
        long slowestMs = Long.parseLong(guests.await("slowest"));
        String failures = guests.await("failures");
        return new Visit(answered, slowestMs, failures, Long.parseLong(guests.await("exchanged")));
    }

    /** Waits until the server has no more than so many connections. */
    static void awaitOpen(ProgramJvm server, int most) throws Exception {
        long deadlineNs = Patience.deadlineNs();
        do {
            if (System.nanoTime() - deadlineNs > 0) {
                throw Patience.expired("connections of the server end", Patience.CALL_SECONDS);
            }
            server.tell("open");
        } while (Integer.parseInt(server.await("open")) > most);
    }

    static long descriptors(ProgramJvm program) {
        Path all = Path.of("/proc", Long.toString(program.process().pid()), "fd");
        try (Stream<Path> each = Files.list(all)) {
            return each.count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
