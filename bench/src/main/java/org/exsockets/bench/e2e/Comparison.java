package org.exsockets.bench.e2e;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs rows. The pairs of JVMs, or the tools in their place, live from the first row that needs them to the last; per row
 * all are connected and warmed up, then take turns round by round, the first changing each time. One that fails is killed,
 * its column of that row is marked, and the next row starts a new one. Used by the parent's main thread.
 */
final class Comparison implements AutoCloseable {
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

    void run(List<Row> rows, Consumer<RowResult> onResult) throws IOException {
        for (Row row : rows) {
            if (row.oneCore() != pairsOnOneCore) {
                close();
                pairsOnOneCore = row.oneCore();
            }
            onResult.accept(run(row));
        }
    }

    /** {@return the version of the children's JVM} */
    String javaVersion() throws IOException, EndpointFailure {
        return contender(transports.get(0)).version();
    }

    private RowResult run(Row row) throws IOException {
        RowResult result = new RowResult(row);
        List<Transport> able = new ArrayList<>(transports.stream()
                .filter(transport -> transport.takesPart(row))
                .toList());
        attempt(result, able, transport -> contender(transport).open(row.spec()));
        attempt(result, able, transport -> round(transport, settings.warmUpSeconds()));
        for (int round = 0; round < settings.rounds(); round++) {
            attempt(result, able, transport -> {
                result.addProbe(settings.probes() ? probe.roundTripNs() : Double.NaN);
                result.add(transport, round(transport, row.seconds()));
            });
            if (able.size() > 1) {
                able.add(able.remove(0));
            }
        }
        attempt(result, able, transport -> contender(transport).close());
        return result;
    }

    private Sample round(Transport transport, double seconds) throws IOException, EndpointFailure {
        Contender contender = contender(transport);
        long startNs = System.nanoTime();
        MachineClock machine = new MachineClock();
        BusyLoops load = new BusyLoops(settings.busyLoops());
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
     * @param busyLoops threads that load the machine during every round
     * @param probes whether to probe the placement of the cores with every round
     * @param verbose prints what every round gave
     */
    record Settings(String java, int rounds, double warmUpSeconds, int busyLoops, boolean probes, boolean verbose) {}
}
