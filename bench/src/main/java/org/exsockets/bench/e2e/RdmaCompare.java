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
import org.exsockets.bench.e2e.endpoint.Face;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command line of {@code bench/rdma}, inside the machine that has the RDMA device. Exit code 0: all rows ran and EXS
 * was proved; 1: not so; 2: misuse.
 */
@Command(
        name = "bench/rdma",
        sortOptions = false,
        description = "Compares TCP, rsockets, EXS over RDMA and bare RDMA writes, round by round in turn.")
final class RdmaCompare implements Callable<Integer> {
    private static final long SLICE_NS = 40_000_000L;

    /** Compiling thoroughly takes an emulated processor longer than the rounds last, and from the same two cores. */
    private static final List<String> FOR_EMULATION =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData");

    @Option(names = "--only", split = ",", description = "latency, stream. Default: both.")
    private Set<Group> groups = EnumSet.of(Group.LATENCY, Group.STREAM);

    @Option(names = "--row", paramLabel = "REGEX", description = "Only rows whose name contains a match.")
    private String rowPattern = "";

    @Option(names = "--faces", split = ",", description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private List<Face> faces = List.of(Face.CHANNEL);

    @Option(names = "--sizes", split = ",", description = "Bytes of a message. Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizesBytes = List.of(64, 512, 4096, 65536, 1048576);

    @Option(names = "--rounds", description = "Rounds of each row and contender. Default: 5, quick 3.")
    private Integer rounds;

    @Option(names = "--seconds", description = "Length of a round. Default: 0.6, quick 0.3.")
    private Double seconds;

    @Option(names = "--warm-up", description = "Seconds of warm-up before a row's rounds. Default: 3, quick 1.")
    private Double warmUpSeconds;

    @Option(names = "--quick", description = "Short rounds: all rows in a few minutes; noisy.")
    private boolean quick;

    @Option(names = "--no-tools", description = "Without rstream and ib_write.")
    private boolean noTools;

    @Option(
            names = "--preload",
            paramLabel = "LIBRARY",
            description = "Run the TCP program over rsockets, too, by preloading this librspreload.so.")
    private Path preload;

    @Option(names = "--address", description = "Address of the RDMA device. Default: ${DEFAULT-VALUE}.")
    private String address = "10.9.0.1";

    @Option(names = "--jvm-arg", paramLabel = "ARG", description = "For the EXS JVMs: --jvm-arg=-Dexs.buffer=1m")
    private List<String> jvmArgs = new ArrayList<>();

    @Option(names = "--vs", paramLabel = "ARGS", description = "A further contender: EXS with these JVM arguments.")
    private String vs;

    @Option(names = "--vs-agent", paramLabel = "JAR", description = "A further contender: EXS from this agent.")
    private Path vsAgent;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the table there, too, as CSV.")
    private Path csv;

    @Option(names = "--verbose", description = "Print what every round gave.")
    private boolean verbose;

    @Option(names = "--help", usageHelp = true, description = "Print this.")
    private boolean help;

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
        List<RowResult> results = new ArrayList<>();
        Host host;
        Comparison.Settings settings = new Comparison.Settings(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                rounds != null ? rounds : quick ? 3 : 5,
                warmUpSeconds != null ? warmUpSeconds : quick ? 1 : 3,
                0,
                false,
                verbose);
        try (Comparison comparison = new Comparison(transports, settings, proof)) {
            host = new Host(
                    comparison.javaVersion(),
                    System.getProperty("exs.bench.commit", "unknown"),
                    conditions(settings.rounds()));
            host.lines().forEach(System.out::println);
            RdmaTable table = new RdmaTable(System.out, transports);
            table.printHead();
            comparison.run(rows(), result -> {
                results.add(result);
                table.print(result);
            });
        }
        if (csv != null) {
            Csv.write(csv, host, transports, results);
        }
        return Compare.verdict(proof, results);
    }

    private List<Transport> transports(Path directory) throws IOException {
        Path agent = Path.of(System.getProperty("exs.bench.agent", "agent/target/exs-agent.jar"))
                .toAbsolutePath();
        Path rules = directory.resolve("everything.rules");
        Files.writeString(rules, "both * * exs\n");
        List<String> exs = with(
                common(), List.of("-Dexs.device=disni", "-Dexs.timeout=5000", "-Dexs.retry=0", "-Dexs.rules=" + rules));
        List<Transport> transports = new ArrayList<>();
        transports.add(new Transport("TCP", null, common()));
        if (preload != null) {
            // The library knows IPv4 addresses only where the JVM does not map them into IPv6.
            List<String> plain = with(common(), List.of("-Djava.net.preferIPv4Stack=true"));
            transports.add(new Transport("preload", null, plain, List.of("env", "LD_PRELOAD=" + preload), null));
        }
        if (!noTools) {
            transports.add(Transport.of(new Rstream("rs-poll", address, List.of())));
            transports.add(Transport.of(new Rstream("rs-wait", address, List.of("-T", "b"))));
        }
        if (vs != null || vsAgent != null) {
            Path other = vsAgent == null ? agent : vsAgent.toAbsolutePath();
            transports.add(new Transport("BASE", other, with(exs, Compare.words(vs))));
        }
        transports.add(new Transport("EXS", agent, with(exs, jvmArgs)));
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
        double round = seconds != null ? seconds : quick ? 0.3 : 0.6;
        return Plan.rows(new Plan.Choice(groups, faces, sizesBytes, sizesBytes, false, List.of(), 0, round, rowPattern))
                .stream()
                .map(RdmaCompare::sliced)
                .toList();
    }

    private static Row sliced(Row row) {
        return row.measure() == Measure.THROUGHPUT
                ? new Row(row.name(), Measure.SLICES, row.spec().with("sliceNs", SLICE_NS), false, row.seconds())
                : row;
    }

    private String conditions(int roundCount) {
        return "medians of " + roundCount + " rounds, TCP_NODELAY set, JVMs with " + String.join(" ", FOR_EMULATION)
                + (jvmArgs.isEmpty() ? "" : ", EXS with " + String.join(" ", jvmArgs))
                + (vs == null ? "" : ", BASE is EXS with " + (vs.isBlank() ? "defaults" : vs))
                + (vsAgent == null ? "" : ", BASE is " + vsAgent.getFileName());
    }
}
