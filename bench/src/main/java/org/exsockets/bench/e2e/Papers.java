package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.exsockets.bench.e2e.Chart.Across;
import org.exsockets.bench.e2e.RoundOptions.Lengths;
import org.exsockets.bench.e2e.endpoint.Face;
import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.Kind;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The figures of the papers on EXS, over this machine's device: TCP, and the ES-API with transfers through the hidden
 * buffer only, into advertised memory wherever the receiver allows it, and as the state of both ends decides. Exit code
 * 0: all rows ran and EXS was proved; 1: not so; 2: misuse.
 */
@Command(
        name = "bench/papers",
        sortOptions = false,
        description = "Compares TCP with indirect, direct and dynamic transfers through the ES-API.",
        footer = "Rounds: 5 of 0.5 s after 3 s of warm-up; with --quick 3 of 0.2 s after 0.5 s.")
final class Papers implements Callable<Integer> {
    private static final int OUTSTANDING = 8;
    private static final int KB = 1 << 10;
    private static final int MB = 1 << 20;
    private static final List<Integer> STREAM_SIZES = List.of(KB, 4 * KB, 16 * KB, 64 * KB, 256 * KB, MB, 4 * MB);
    private static final List<Integer> ROUND_TRIP_SIZES = List.of(64, KB, 16 * KB, 64 * KB, 256 * KB, MB);
    private static final List<Integer> PACKET_SIZES = List.of(4 * KB, 16 * KB, 64 * KB, 256 * KB, MB);
    private static final List<Integer> DEPTHS = List.of(1, 2, 4, 8, 16, 32);
    private static final List<Integer> CONNECTIONS = List.of(1, 2, 4, 8, 16);

    private static final String TCP = "TCP";
    private static final String INDIRECT = "indirect";
    private static final String DIRECT = "direct";
    private static final String DYNAMIC = "dynamic";

    @Option(names = "--plots", paramLabel = "DIRECTORY", description = "Draw SVGs there, too.")
    private Path plots;

    @Option(
            names = "--both-placements",
            paramLabel = "SECONDS",
            description = "Repeat rows until they were seen with near and with far cores, for so long at most.")
    private int bothPlacementsSeconds;

    @Mixin
    private final RoundOptions options =
            new RoundOptions(List.of(Face.CHANNEL), new Lengths(5, 0.5, 3), new Lengths(3, 0.2, 0.5));

    public static void main(String[] args) {
        System.exit(new CommandLine(new Papers()).execute(args));
    }

    @Override
    public Integer call() throws IOException, EndpointFailure, InterruptedException {
        List<Transport> transports = transports();
        StatsProof proof = new StatsProof(Files.createTempDirectory("exs-bench"), "soft");
        List<RowResult> results = rows().stream().map(RowResult::new).toList();
        Comparison.Settings settings = new Comparison.Settings(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                options.rounds(),
                options.warmUpSeconds(),
                true,
                options.verbose);
        Host host;
        try (Comparison comparison = new Comparison(transports, settings, proof)) {
            host = Host.here(
                    comparison.javaVersion(),
                    "medians of " + options.rounds() + " rounds, " + OUTSTANDING + " sends and receives outstanding"
                            + " unless said" + options.conditions(),
                    "bench/papers",
                    options.arguments());
            host.lines().forEach(System.out::println);
            PapersTable table = new PapersTable(System.out, transports);
            table.printHead();
            comparison.run(results, table::print);
            if (bothPlacementsSeconds > 0) {
                comparison.runInBothPlacements(results, bothPlacementsSeconds, table::print);
            }
        }
        new PapersVerdict(transports).print(System.out, results);
        if (options.csv != null) {
            Csv.write(
                    options.csv,
                    host,
                    transports,
                    results,
                    new Judge(transports.get(0), transports.get(transports.size() - 1), results));
        }
        if (plots != null) {
            draw(transports, results);
        }
        return Compare.verdict(proof, results);
    }

    private List<Transport> transports() {
        List<Transport> transports = new ArrayList<>();
        transports.add(new Transport(TCP, null, List.of()));
        Map<String, String> modes = new LinkedHashMap<>();
        modes.put(INDIRECT, "never");
        modes.put(DIRECT, "always");
        modes.put(DYNAMIC, "auto");
        modes.forEach((label, mode) -> {
            List<String> arguments = new ArrayList<>(List.of("-Dbench.api=true", "-Dexs.direct=" + mode));
            arguments.addAll(options.jvmArgs);
            transports.add(new Transport(label, options.agent(), arguments));
        });
        return transports;
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int size : STREAM_SIZES) {
            rows.add(stream("stream " + Plan.size(size), size, OUTSTANDING, 1));
        }
        for (int size : ROUND_TRIP_SIZES) {
            Fields spec = Row.spec(Kind.API_ROUND_TRIP, size).with("face", Face.CHANNEL);
            rows.add(row("round trip " + Plan.size(size), Measure.LATENCY, spec));
        }
        for (int depth : DEPTHS) {
            rows.add(stream("outstanding " + depth + " of 1 MB", MB, depth, 1));
        }
        for (int size : PACKET_SIZES) {
            Row packets = stream("packets " + Plan.size(size), size, OUTSTANDING, 1);
            packets.spec().with("type", "SEQPACKET").with("only", DIRECT + "," + DYNAMIC);
            rows.add(packets);
        }
        for (int connections : CONNECTIONS) {
            rows.add(stream("connections " + connections + " of 256 KB", 256 * KB, OUTSTANDING / 2, connections));
        }
        Fields copy = Row.spec(Kind.COPY, MB).with("sends", OUTSTANDING).with("only", DYNAMIC);
        rows.add(row("one core copies 1 MB", Measure.THROUGHPUT, copy));
        Pattern wanted = Pattern.compile(options.rowPattern);
        return rows.stream().filter(row -> wanted.matcher(row.name()).find()).toList();
    }

    private Row stream(String name, int size, int depth, int connections) {
        Fields spec = Row.spec(Kind.API_STREAM, size)
                .with("face", Face.CHANNEL)
                .with("sends", depth)
                .with("receives", depth)
                .with("connections", connections);
        return row(name, Measure.THROUGHPUT, spec);
    }

    private Row row(String name, Measure measure, Fields spec) {
        return new Row(name, measure, spec, Condition.IDLE_MACHINE, options.seconds(), List.of());
    }

    private void draw(List<Transport> transports, List<RowResult> results) throws IOException {
        Files.createDirectories(plots);
        Curves curves = new Curves(transports, results);
        curves.draw(
                "stream ",
                Measure::value,
                new Chart("Streaming, 8 outstanding", "GB/s", Across.SIZE),
                "papers-throughput.svg");
        curves.draw("stream ", Measure::cpu, new Chart("CPU of both processes", "s/GB", Across.SIZE), "papers-cpu.svg");
        curves.draw(
                "round trip ",
                Measure::value,
                new Chart("Round trip, median", "us", Across.SIZE),
                "papers-latency.svg");
    }

    /** Figures over the size of messages, a curve for each transport. */
    private final class Curves {
        private final List<Transport> transports;
        private final List<RowResult> results;

        Curves(List<Transport> transports, List<RowResult> results) {
            this.transports = transports;
            this.results = results;
        }

        void draw(String rows, BiFunction<Measure, Sample, Double> figure, Chart chart, String file)
                throws IOException {
            boolean any = false;
            for (Transport transport : transports) {
                List<Chart.Point> points = new ArrayList<>();
                for (RowResult result : results) {
                    Measure measure = result.row().measure();
                    double value = result.median(transport, sample -> figure.apply(measure, sample));
                    if (result.row().name().startsWith(rows) && value > 0) {
                        points.add(new Chart.Point(result.row().spec().integer("size"), value));
                    }
                }
                if (!points.isEmpty()) {
                    chart.add(transport.label(), points);
                    any = true;
                }
            }
            if (any) {
                Files.writeString(plots.resolve(file), chart.svg());
            }
        }
    }

    /** {@return a figure as the table shows it} */
    static String number(double value) {
        return Double.isNaN(value)
                ? "-"
                : String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.3f", value);
    }
}
