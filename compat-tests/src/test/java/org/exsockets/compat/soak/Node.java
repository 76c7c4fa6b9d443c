package org.exsockets.compat.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.PeerJvm;

/**
 * A place of the soak with its ports, and the process that has it now; when one was killed, another one has. Faults and the
 * watch use it beside each other: the lock is held while the process changes, and while it is spoken to, not while it is
 * stopped.
 */
final class Node {
    /**
     * What is asked of a process that is healthy is answered in this time; unless its threads, taken together, have waited
     * longer for a core meanwhile. A JVM that starts has to do in one thread what takes seconds of CPU time, beside the many
     * threads of the others: it was seen to have had half a second in twenty.
     */
    private static final long ANSWER_SECONDS = Soak.HANG_SECONDS;

    /** How many times that, whatever it has waited for. */
    private static final int MOST_LIMITS = 5;

    private static final int MOST_STARTS = 3;
    private static final int SIGBUS = 7;

    private final Soak soak;
    private final int index;
    private final Profile profile;
    private final Path clock;

    /** What the processes before this one have printed. */
    private final StringBuilder printed = new StringBuilder();

    private PeerJvm jvm;
    private int process;
    private boolean stopped;

    Node(Soak soak, int index, Profile profile) {
        this.soak = soak;
        this.index = index;
        this.profile = profile;
        this.clock = soak.directory().resolve("clock-" + index);
    }

    int index() {
        return index;
    }

    boolean hasAgent() {
        return profile.agent();
    }

    boolean hasFalseClock() {
        return profile.falseClock() && Stage.falseClock() != null;
    }

    synchronized PeerJvm jvm() {
        return jvm;
    }

    /** Starts a process that listens. */
    synchronized void start() throws IOException {
        process = soak.lives().begin(index);
        setClock("+0");
        for (int attempt = 1; !listens(attempt == MOST_STARTS); attempt++) {
            System.out.println(this + ": its false clock found no shared memory");
        }
        soak.lives().ready(process);
    }

    /** {@return whether it was not kept from it by the library that makes its clock false, unless that must not be} */
    private boolean listens(boolean must) throws IOException {
        jvm = PeerJvm.start(launcher(), profile.arguments(soak.directory(), index));
        try {
            ask(
                    "listen",
                    soak.directory().resolve("ledger-" + process),
                    soak.seed(),
                    process,
                    Soak.HOST,
                    index,
                    soak.portList());
            return true;
        } catch (IOException e) {
            if (must || !hasFalseClock() || !endedBeforeItBegan()) {
                throw e;
            }
            return false;
        }
    }

    /** That library has pages of its own in shared memory, and none may be left. A JVM would have said something. */
    private boolean endedBeforeItBegan() {
        try {
            jvm.awaitEnd();
            return jvm.endedBy(SIGBUS) && jvm.errors().isEmpty();
        } catch (IOException alive) {
            return false;
        }
    }

    synchronized void connect() throws IOException {
        ask("connect", soak.clients());
    }

    private List<String> launcher() {
        List<String> launcher =
                new ArrayList<>(List.of("prlimit", "--nofile=" + Profile.DESCRIPTORS + ":" + Profile.DESCRIPTORS));
        if (hasFalseClock()) {
            launcher.addAll(List.of(
                    "env",
                    "LD_PRELOAD=" + Stage.falseClock(),
                    "FAKETIME_TIMESTAMP_FILE=" + clock,
                    "FAKETIME_DONT_FAKE_MONOTONIC=1",
                    "FAKETIME_FORCE_MONOTONIC_FIX=0", // Otherwise waits of the JVM with a time-out return at once.
                    "FAKETIME_CACHE_DURATION=1"));
        }
        return launcher;
    }

    /** Makes the clock of the process differ from the machine's, as {@code faketime} writes that. */
    void setClock(String offset) throws IOException {
        Files.writeString(clock, offset + "\n");
    }

    /** Kills the process and starts another one. */
    synchronized void replace() throws IOException {
        soak.lives().killed(process);
        jvm.kill();
        jvm.awaitEnd();
        printed.append(jvm.errors());
        start();
        connect();
    }

    synchronized void stop() throws IOException {
        stopped = true;
        jvm.stop();
    }

    synchronized void resume() throws IOException {
        jvm.resume();
        stopped = false;
    }

    /** Leaves the process without descriptors for a while. */
    int exhaust(long milliseconds) throws IOException {
        int exhausted;
        CompletableFuture<String> answer;
        synchronized (this) {
            exhausted = process;
            answer = jvm.runOn("exhaust", Step.class, "exhaust", milliseconds);
        }
        String[] said = await("exhaust", answer).split(" ");
        soak.lives().exhausted(exhausted, Long.parseLong(said[0]), Long.parseLong(said[1]));
        return Integer.parseInt(said[2]);
    }

    /** Has the process do a {@link Step}. */
    synchronized String ask(String step, Object... arguments) throws IOException {
        Object[] words = new Object[arguments.length + 1];
        words[0] = step;
        System.arraycopy(arguments, 0, words, 1, arguments.length);
        return await(step, jvm.runOn(step, Step.class, words));
    }

    private String await(String step, CompletableFuture<String> answer) throws IOException {
        long waitedMs = CoreWaits.of(jvm().pid());
        for (int limit = 1; ; limit++) {
            try {
                return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new IOException(
                        this + ": " + step + ": " + e.getCause() + ", printed: " + jvm().errors(), e.getCause());
            } catch (TimeoutException e) {
                long nowMs = CoreWaits.of(jvm().pid());
                if (limit == MOST_LIMITS || nowMs - waitedMs < ANSWER_SECONDS * 1000) {
                    soak.printStacks(this);
                    throw Patience.expired(this + ": " + step + " returns", limit * ANSWER_SECONDS);
                }
                System.out.println(this + ": " + step + " takes long: its threads have waited "
                        + (nowMs - waitedMs) / 1000 + " s for a core");
                waitedMs = nowMs;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }

    /** Looks at the process; returns what is wrong with it, or an empty text. */
    synchronized String watch() throws IOException {
        if (stopped) {
            return "";
        }
        String[] said = ask("watch").split(" ");
        if (!said[3].equals("0")) {
            return this + ": something is wrong that the verdict says";
        }
        return Long.parseLong(said[0]) < Soak.HANG_SECONDS * 1000
                ? ""
                : Patience.expired(this + ": connections end", Soak.HANG_SECONDS)
                                .getMessage()
                        + ask("idle", Soak.HANG_SECONDS * 1000);
    }

    /** How many connections of the process are not over. */
    synchronized int live() throws IOException {
        return Integer.parseInt(ask("watch").split(" ")[1]);
    }

    /** Ends the process in order; returns what is left in it before, or an empty text. */
    synchronized String end() throws IOException {
        ask("end");
        String left = jvm.remains();
        jvm.close();
        return left;
    }

    /** What the process has printed that ended in order. */
    synchronized String lastWords() {
        return jvm.errors();
    }

    /** What those have printed that were killed. */
    synchronized String printedBefore() {
        return printed.toString();
    }

    synchronized void kill() throws IOException {
        if (jvm != null && jvm.isAlive()) {
            jvm.kill();
            jvm.awaitEnd();
        }
    }

    @Override
    public String toString() {
        return "node " + index + " (process " + process + ", " + profile + ")";
    }
}
