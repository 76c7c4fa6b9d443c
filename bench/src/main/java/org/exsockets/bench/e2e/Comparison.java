package org.exsockets.bench.e2e;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.exsockets.bench.e2e.endpoint.Kind;

/**
 * Runs rows. The pairs of JVMs, or the tools in their place, live from the first row that needs them to the last. Per
 * row all are connected and warmed up, then take turns round by round, the first changing each time. A pair or tool
 * that fails is killed; its column of that row is marked, and the next row starts a new one. Used by the parent's main
 * thread.
 */
final class Comparison implements AutoCloseable {
    private static final long PLACEMENT_LOOK_MS = 3000;

    private final List<Transport> transports;
    private final Settings settings;
    private final StatsProof proof;
    private final PlacementProbe probe = new PlacementProbe();
    private final Map<Transport, Contender> contenders = new LinkedHashMap<>();
    private boolean pairsOnOneCore;
    private int started;

    Comparison(List<Transport> transports, Settings settings, StatsProof proof) {
        this.transports = transports;
        this.settings = settings;
        this.proof = proof;
        Runtime.getRuntime().addShutdownHook(new Thread(this::killAll));
    }

    void run(List<RowResult> rows, Consumer<RowResult> onResult) throws IOException {
        for (RowResult row : rows) {
            runOnce(row);
            onResult.accept(row);
        }
    }

    /**
     * Repeats rows not measured in both placements of the cores, while the cores are in one that the row lacks, until
     * all are complete or the time is over.
     */
    void runInBothPlacements(List<RowResult> rows, long limitSeconds, Consumer<RowResult> onResult)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
        List<RowResult> lacking = lacking(rows);
        while (!lacking.isEmpty() && System.nanoTime() < deadlineNs) {
            Placement now = Placement.of(probe.roundTripNs());
            RowResult next = lacking.stream()
                    .filter(row -> now != Placement.UNKNOWN && !row.has(now))
                    .findFirst()
                    .orElse(null);
            if (next == null) {
                Thread.sleep(PLACEMENT_LOOK_MS);
            } else {
                runOnce(next);
                if (next.has(now)) {
                    onResult.accept(next);
                }
            }
            lacking = lacking(rows);
        }
    }

    /** {@return the rows not measured in both placements} */
    static List<RowResult> lacking(List<RowResult> rows) {
        return rows.stream()
                .filter(row -> row.row().depends() && !(row.has(Placement.NEAR) && row.has(Placement.FAR)))
                .toList();
    }

    /** {@return the version of the children's JVM} */
    String javaVersion() throws IOException, EndpointFailure {
        return contender(transports.get(0)).version();
    }

    private void runOnce(RowResult result) throws IOException {
        Row row = result.row();
        boolean oneCore = row.condition() == Condition.ONE_CORE;
        if (oneCore != pairsOnOneCore) {
            close();
            pairsOnOneCore = oneCore;
        }
        if (row.measure() == Measure.START_UP) {
            StartUp.run(result, transports, settings);
            return;
        }
        if (row.measure() == Measure.FIRST) {
            FirstRun.run(result, transports, settings, proof);
            return;
        }
        if (row.spec().text("kind").equals(Kind.CONNECT.toString())) {
            Ports.awaitFree();
        }
        List<Transport> able = new ArrayList<>(transports.stream()
                .filter(transport -> transport.takesPart(row))
                .toList());
        int rounds = row.runsOnce() ? 1 : settings.rounds();
        if (!row.fresh()) {
            runRounds(result, able, rounds);
            return;
        }
        for (int round = 0; round < rounds; round++) {
            close();
            runRounds(result, able, 1);
        }
        close();
    }

    private void runRounds(RowResult result, List<Transport> able, int rounds) throws IOException {
        Row row = result.row();
        attempt(result, able, transport -> contender(transport).open(row.spec()));
        attempt(result, able, transport -> warmUp(transport, row));
        for (int round = 0; round < rounds; round++) {
            attempt(result, able, transport -> result.add(transport, placedRound(transport, row)));
            if (able.size() > 1) {
                able.add(able.remove(0));
            }
        }
        attempt(result, able, transport -> contender(transport).close());
    }

    private void warmUp(Transport transport, Row row) throws IOException, EndpointFailure {
        boolean compiles = transport.tool() == null;
        round(transport, row, compiles ? row.warmUpSeconds(settings.warmUpSeconds()) : row.seconds());
    }

    private Sample placedRound(Transport transport, Row row) throws IOException, EndpointFailure {
        if (!settings.probes() || !row.depends()) {
            return round(transport, row, row.seconds());
        }
        double beforeNs = probe.roundTripNs();
        Sample sample = round(transport, row, row.seconds());
        return sample.placed(beforeNs, probe.roundTripNs());
    }

    private Sample round(Transport transport, Row row, double seconds) throws IOException, EndpointFailure {
        Contender contender = contender(transport);
        long startNs = System.nanoTime();
        MachineClock machine = new MachineClock();
        BusyLoops load = new BusyLoops(row.condition().busyLoops());
        try (load) {
            Sample sample = contender.round(seconds).with("machineCpuNs", machine.elapsedNs());
            if (settings.verbose()) {
                System.err.println(transport.label() + ": " + sample + " in " + (System.nanoTime() - startNs) / 1e9);
            }
            return sample;
        }
    }

    private void attempt(RowResult result, List<Transport> able, Step step) throws IOException {
        for (Transport transport : List.copyOf(able)) {
            try {
                step.run(transport);
            } catch (EndpointFailure failure) {
                able.remove(transport);
                result.fail(transport, failure.getMessage());
                Contender failed = contenders.remove(transport);
                if (failed != null) {
                    failed.kill();
                }
            }
        }
    }

    private Contender contender(Transport transport) throws IOException, EndpointFailure {
        Contender contender = contenders.get(transport);
        if (contender == null) {
            contender = transport.tool() == null ? startPair(transport) : new ToolRuns(transport.tool());
            contenders.put(transport, contender);
        }
        return contender;
    }

    private Pair startPair(Transport transport) throws IOException, EndpointFailure {
        List<String> prefix = pairsOnOneCore ? List.of("taskset", "-c", "0") : List.of();
        return Pair.start(transport, new Pair.Launch(settings.java(), prefix, proof.directory()), started++);
    }

    /** Ends all pairs and takes their proofs. */
    @Override
    public void close() {
        contenders.forEach((transport, contender) -> {
            try {
                proof.take(transport, contender.quit());
            } catch (EndpointFailure failure) {
                proof.fail(failure.getMessage());
            }
        });
        contenders.clear();
    }

    private void killAll() {
        contenders.values().forEach(Contender::kill);
    }

    private interface Step {
        void run(Transport transport) throws IOException, EndpointFailure;
    }

    /**
     * What holds for all rows.
     *
     * @param java the launcher of the children
     * @param probes whether to probe the placement of the cores with every round
     * @param verbose prints the figures of every round
     */
    record Settings(String java, int rounds, double warmUpSeconds, boolean probes, boolean verbose) {}
}
