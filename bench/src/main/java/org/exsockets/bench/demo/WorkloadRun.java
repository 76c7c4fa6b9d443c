package org.exsockets.bench.demo;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.exsockets.bench.demo.program.StepResult;

/**
 * One workload from start to proof: a pair of JVMs per transport, the rounds alternating between them so that both meet
 * the same machine. Used once, by the main thread.
 */
final class WorkloadRun {
    private static final int ROUNDS = 5;
    private static final int SHORT_ROUNDS = 3;

    /** Before each turn: JVMs go on compiling what they have just run, and would take the other transport's cores. */
    private static final long PAUSE_MS = 300;

    private final Workload workload;
    private final boolean brief;
    private final int divisor;
    private final ChildLauncher launcher;
    private final Progress progress;
    private final Map<Transport, ChildPair> pairs = new EnumMap<>(Transport.class);
    private final List<Row> rows = new ArrayList<>();
    private final List<String> objections = new ArrayList<>();
    private Optional<Proof> proof = Optional.empty();

    WorkloadRun(Workload workload, boolean brief, int divisor, ChildLauncher launcher, Progress progress) {
        this.workload = workload;
        this.brief = brief;
        this.divisor = divisor;
        this.launcher = launcher;
        this.progress = progress;
    }

    /**
     * The medians of a step's rounds.
     *
     * @param step which step
     * @param title what the table calls it
     * @param results one result per transport
     */
    record Row(Workload.Step step, String title, Map<Transport, StepResult> results) {}

    /**
     * Runs all steps, ends the JVMs and reads their statistics. All children have ended afterwards, even on failure.
     *
     * @throws DemoFailure if a program fails or hangs
     */
    void run() throws DemoFailure, InterruptedException {
        try {
            progress.line(workload.serverName() + ": starting two JVMs for TCP and two for EXS");
            for (Transport transport : Transport.values()) {
                pairs.put(transport, ChildPair.start(workload, transport, launcher));
            }
            for (Workload.Step step : workload.steps()) {
                rows.add(measure(step));
            }
            for (ChildPair pair : pairs.values()) {
                pair.stop();
            }
        } finally {
            pairs.values().forEach(ChildPair::kill);
        }
        readProof(pairs.get(Transport.EXS));
    }

    List<Row> rows() {
        return rows;
    }

    /** {@return the statistics of the EXS runs, empty if the JVMs left none; after {@link #run}} */
    Optional<Proof> proof() {
        return proof;
    }

    /** {@return what is wrong with results and proof, one sentence each} */
    List<String> objections() {
        return objections;
    }

    private void readProof(ChildPair exs) {
        try {
            Proof read = new Proof(
                    workload,
                    ExsStats.read(launcher.statistics(exs.serverName())),
                    ExsStats.read(launcher.statistics(exs.clientName())),
                    exs.bytesToServer(),
                    exs.bytesToClient());
            objections.addAll(read.objections());
            proof = Optional.of(read);
        } catch (DemoFailure e) {
            objections.add(workload.serverName() + ": " + e.getMessage());
        }
    }

    private Row measure(Workload.Step step) throws DemoFailure, InterruptedException {
        int rounds = brief ? SHORT_ROUNDS : ROUNDS;
        int operations = Math.max(1, step.operations(brief) / divisor);
        Map<Transport, List<StepResult>> measured = new EnumMap<>(Transport.class);
        for (Transport transport : Transport.values()) {
            measured.put(transport, new ArrayList<>());
        }
        playRound(step, operations, 0);
        for (int round = 1; round <= rounds; round++) {
            Map<Transport, StepResult> results = playRound(step, operations, round);
            results.forEach((transport, result) -> measured.get(transport).add(result));
            progress.line(String.format(
                    "%-34s round %d of %d   TCP %11s   EXS %11s",
                    step.title(operations),
                    round,
                    rounds,
                    Figures.throughput(step, results.get(Transport.TCP)),
                    Figures.throughput(step, results.get(Transport.EXS))));
        }
        Map<Transport, StepResult> medians = new EnumMap<>(Transport.class);
        measured.forEach((transport, results) -> medians.put(transport, median(results)));
        return new Row(step, step.title(operations), medians);
    }

    /** Round 0 warms up and is checked like the others. The transports take turns in going first. */
    private Map<Transport, StepResult> playRound(Workload.Step step, int operations, int round)
            throws DemoFailure, InterruptedException {
        Map<Transport, StepResult> results = new EnumMap<>(Transport.class);
        Transport first = round % 2 == 0 ? Transport.EXS : Transport.TCP;
        Transport second = first == Transport.TCP ? Transport.EXS : Transport.TCP;
        for (Transport transport : List.of(first, second)) {
            Thread.sleep(PAUSE_MS);
            results.put(transport, pairs.get(transport).run(step, operations));
        }
        StepResult tcp = results.get(Transport.TCP);
        StepResult exs = results.get(Transport.EXS);
        if (tcp.operations() != exs.operations()
                || tcp.bytesToServer() != exs.bytesToServer()
                || tcp.bytesToClient() != exs.bytesToClient()
                || tcp.checksum() != exs.checksum()) {
            objections.add(step.title(operations) + ": results differ: TCP=" + tcp + ", EXS=" + exs);
        }
        return results;
    }

    private static StepResult median(List<StepResult> results) {
        StepResult any = results.get(0);
        return new StepResult(
                any.operations(),
                any.bytesToServer(),
                any.bytesToClient(),
                median(results, StepResult::elapsedNs),
                median(results, StepResult::p50Ns),
                median(results, StepResult::p99Ns),
                any.checksum());
    }

    private static long median(List<StepResult> results, ToLongFunction<StepResult> figure) {
        long[] sorted = results.stream().mapToLong(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
