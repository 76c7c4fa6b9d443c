package org.exsockets.bench.e2e;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs rows. The pairs of JVMs live from the first row that needs them to the last; per row all pairs are connected and
 * warmed up, then take turns round by round, the first changing each time. A pair that fails is killed, its column of
 * that row is marked, and the next row starts a new one. Used by the parent's main thread.
 */
final class Comparison implements AutoCloseable {
    private final List<Transport> transports;
    private final Settings settings;
    private final StatsProof proof;
    private final PlacementProbe probe = new PlacementProbe();
    private final Map<Transport, Pair> pairs = new LinkedHashMap<>();
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
        return pair(transports.get(0)).javaVersion();
    }

    private RowResult run(Row row) throws IOException {
        RowResult result = new RowResult(row);
        List<Transport> able = new ArrayList<>(transports);
        attempt(result, able, transport -> pair(transport).open(row.spec()));
        attempt(result, able, transport -> round(transport, settings.warmUpSeconds()));
        for (int round = 0; round < settings.rounds(); round++) {
            attempt(result, able, transport -> {
                result.addProbe(probe.roundTripNs());
                result.add(transport, round(transport, row.seconds()));
            });
            if (able.size() > 1) {
                able.add(able.remove(0));
            }
        }
        attempt(result, able, transport -> pair(transport).close());
        return result;
    }

    private Sample round(Transport transport, double seconds) throws IOException, EndpointFailure {
        Pair pair = pair(transport);
        BusyLoops load = new BusyLoops(settings.busyLoops());
        try (load) {
            return pair.round(seconds);
        }
    }

    private void attempt(RowResult result, List<Transport> able, Step step) throws IOException {
        for (Transport transport : List.copyOf(able)) {
            try {
                step.run(transport);
            } catch (EndpointFailure failure) {
                able.remove(transport);
                result.fail(transport, failure.getMessage());
                Pair failed = pairs.remove(transport);
                if (failed != null) {
                    failed.kill();
                }
            }
        }
    }

    private Pair pair(Transport transport) throws IOException, EndpointFailure {
        Pair pair = pairs.get(transport);
        if (pair == null) {
            List<String> prefix = pairsOnOneCore ? List.of("taskset", "-c", "0") : List.of();
            pair = Pair.start(transport, new Pair.Launch(settings.java(), prefix, proof.directory()), started++);
            pairs.put(transport, pair);
        }
        return pair;
    }

    /** Ends all pairs and takes their proofs. */
    @Override
    public void close() {
        pairs.forEach((transport, pair) -> {
            try {
                proof.take(transport, pair.quit());
            } catch (EndpointFailure failure) {
                proof.fail(failure.getMessage());
            }
        });
        pairs.clear();
    }

    private void killAll() {
        pairs.values().forEach(Pair::kill);
    }

    private interface Step {
        void run(Transport transport) throws IOException, EndpointFailure;
    }

    /**
     * What holds for all rows.
     *
     * @param java the launcher of the children
     * @param busyLoops threads that load the machine during every round
     */
    record Settings(String java, int rounds, double warmUpSeconds, int busyLoops) {}
}
