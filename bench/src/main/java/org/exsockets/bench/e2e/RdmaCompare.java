package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.exsockets.bench.e2e.Plan.Group;
import org.exsockets.bench.e2e.RoundOptions.Lengths;
import org.exsockets.bench.e2e.endpoint.Face;
import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.Kind;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command line of {@code bench/rdma}, inside the machine that has the RDMA device. Exit code 0: all rows ran and
 * EXS was proved; 1: not so; 2: misuse.
 */
@Command(
        name = "bench/rdma",
        sortOptions = false,
        description = "Compares TCP, rsockets, EXS over RDMA and bare RDMA writes, round by round in turn.",
        footer = "Rounds: 5 of 0.6 s after 20 s of warm-up of each JVM; with --quick 3 of 0.3 s after 3 s.")
final class RdmaCompare implements Callable<Integer> {
    private static final long SLICE_NS = 40_000_000L;

    /** Sends and receives of a stream of the ES-API. */
    private static final int OUTSTANDING = 8;

    /**
     * Seconds until a JVM has compiled a row's path thoroughly, as a program's JVM will have: an emulated processor takes so long,
     * and meanwhile a round trip takes twice as long.
     */
    private static final double WARM_UP_SECONDS = 20;

    private static final List<String> FOR_EMULATION = List.of("-XX:+UseSerialGC", "-XX:-UsePerfData");

    @Option(names = "--only", split = ",", description = "latency, stream. Default: both.")
    private Set<Group> groups = EnumSet.of(Group.LATENCY, Group.STREAM);

    @Option(names = "--sizes", split = ",", description = "Bytes of a message. Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizesBytes = List.of(64, 512, 4096, 65536, 1048576);

    @Option(
            names = "--es-api",
            description = "Streams of the ES-API with 8 sends and receives outstanding instead of channels; say with"
                    + " --vs=-Dexs.direct=never and --jvm-arg=-Dexs.direct=always what to compare.")
    private boolean esApi;

    @Option(names = "--no-tools", description = "Without rstream and ib_write.")
    private boolean noTools;

    @Option(
            names = "--preload",
            paramLabel = "LIBRARY",
            description = "Run the TCP program over rsockets, too, by preloading this librspreload.so.")
    private Path preload;

    @Option(names = "--address", description = "Address of the RDMA device. Default: ${DEFAULT-VALUE}.")
    private String address = "10.9.0.1";

    @Mixin
    private final RoundOptions options =
            new RoundOptions(List.of(Face.CHANNEL), new Lengths(5, 0.6, WARM_UP_SECONDS), new Lengths(3, 0.3, 3));

    public static void main(String[] args) {
        System.exit(new CommandLine(new RdmaCompare())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws IOException, EndpointFailure {
        Path directory = Files.createTempDirectory("exs-bench");
        List<Transport> transports = transports(directory);
        StatsProof proof = new StatsProof(directory, "disni");
        List<RowResult> results = rows().stream().map(RowResult::new).toList();
        Host host;
        Comparison.Settings settings = new Comparison.Settings(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                options.rounds(),
                options.warmUpSeconds(),
                false,
                options.verbose);
        try (Comparison comparison = new Comparison(transports, settings, proof)) {
            host = Host.here(comparison.javaVersion(), conditions(), "bench/rdma", options.arguments());
            host.lines().forEach(System.out::println);
            RdmaTable table = new RdmaTable(System.out, transports);
            table.printHead();
            comparison.run(results, table::print);
        }
        if (options.csv != null) {
            Csv.write(options.csv, host, transports, results, new Judge(transports.get(0), exs(transports), results));
        }
        return Compare.verdict(proof, results);
    }

    private static Transport exs(List<Transport> transports) {
        return transports.stream()
                .filter(transport -> transport.label().equals("EXS"))
                .findFirst()
                .orElseThrow();
    }

    private List<Transport> transports(Path directory) throws IOException {
        Path rules = directory.resolve("everything.rules");
        Files.writeString(rules, "both * * exs\n");
        List<String> exs = with(
                common(),
                List.of(
                        "-Dexs.device=disni",
                        "-Dexs.timeout=5000",
                        "-Dexs.retry=0",
                        "-Dexs.rules=" + rules,
                        "-Dbench.api=" + esApi));
        List<Transport> transports = new ArrayList<>();
        transports.add(new Transport("TCP", null, common()));
        if (preload != null) {
            // The library accepts IPv4 addresses only where the JVM does not map them into IPv6.
            List<String> plain = with(common(), List.of("-Djava.net.preferIPv4Stack=true"));
            transports.add(new Transport("preload", null, plain, List.of("env", "LD_PRELOAD=" + preload), null));
        }
        if (!noTools) {
            transports.add(Transport.of(new Rstream("rs-poll", address, List.of())));
            transports.add(Transport.of(new Rstream("rs-wait", address, List.of("-T", "b"))));
        }
        if (options.hasOther()) {
            transports.add(new Transport("BASE", options.otherAgent(), with(exs, options.otherJvmArgs())));
        }
        transports.add(new Transport("EXS", options.agent(), with(exs, options.jvmArgs)));
        if (!noTools) {
            transports.add(Transport.of(new Perftest(address)));
        }
        return transports;
    }

    private List<String> common() {
        return with(FOR_EMULATION, List.of("-Dbench.host=" + address));
    }

    private static List<String> with(List<String> some, List<String> more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private List<Row> rows() {
        if (esApi) {
            return sizesBytes.stream().map(this::esApiStream).toList();
        }
        Plan.Choice choice = new Plan.Choice(
                groups,
                EnumSet.of(Condition.IDLE_MACHINE),
                options.faces,
                sizesBytes,
                sizesBytes,
                false,
                List.of(),
                0,
                0,
                0,
                0,
                options.seconds(),
                new PacedRows.Lengths(options.pacedSeconds(), options.pacedWarmUpSeconds(), false),
                options.rowPattern);
        return Plan.rows(choice).stream()
                .filter(row -> !row.spec().text("kind").equals(Kind.ONE_WAY.toString()))
                .map(RdmaCompare::asOverRdma)
                .toList();
    }

    private Row esApiStream(int sizeBytes) {
        Fields spec = Row.spec(Kind.API_STREAM, sizeBytes)
                .with("face", Face.CHANNEL)
                .with("sends", OUTSTANDING)
                .with("receives", OUTSTANDING)
                .with("sliceNs", SLICE_NS);
        String name = "stream ES-API " + Plan.size(sizeBytes);
        return new Row(name, Measure.SLICES, spec, Condition.IDLE_MACHINE, options.seconds(), List.of());
    }

    /** The targets are for shared memory, and an emulated machine stalls. */
    private static Row asOverRdma(Row row) {
        Measure measure = row.measure();
        Fields spec = row.spec();
        if (measure == Measure.THROUGHPUT) {
            measure = Measure.SLICES;
            spec.with("sliceNs", SLICE_NS);
        }
        return new Row(row.name(), measure, spec, row.condition(), row.seconds(), List.of());
    }

    private String conditions() {
        return "medians of " + options.rounds() + " rounds, TCP_NODELAY set, JVMs with "
                + String.join(" ", FOR_EMULATION) + options.conditions();
    }
}
