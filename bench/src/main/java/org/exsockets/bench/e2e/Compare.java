package org.exsockets.bench.e2e;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.exsockets.bench.e2e.RoundOptions.Lengths;
import org.exsockets.bench.e2e.endpoint.Face;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command line of {@code bench/compare}. Exit code 0: all rows ran and EXS was proved, whether or not targets were
 * met; 1: not so; 2: misuse.
 */
@Command(
        name = "bench/compare",
        sortOptions = false,
        description = "Compares EXS with plain TCP between two JVMs, round by round in turn, and prints one table.",
        footer = {
            "Rounds: 5 of 0.5 s after 1.5 s of warm-up; with --quick 5 of 0.1 s after 0.3 s. Idle rows are four times as long.",
            "PACED rows: rounds of 2 s after 20 s of warm-up, three quarters of an hour; with --quick 0.5 s after 2 s.",
            "FIRST rows: a client and its server started anew, three times a round, over TCP, with an agent that does nothing, with"
                    + " device=none, over EXS; a table of its own has the time of the whole client and of its main, its slowest"
                    + " first exchange, CPU of both processes, classes of the agent, those of the JDK outside its archive, and"
                    + " compiled methods, the last three counted once. Five minutes.",
            "--vs and --vs-agent compare with another EXS instead of TCP."
        })
final class Compare implements Callable<Integer> {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    @Option(
            names = "--only",
            split = ",",
            description = "Groups of rows: ${COMPLETION-CANDIDATES}. Default: all but PACED and FIRST.")
    private Set<Plan.Group> groups = EnumSet.complementOf(EnumSet.of(Plan.Group.PACED, Plan.Group.FIRST));

    @Option(names = "--under", split = ",", description = "${COMPLETION-CANDIDATES}. Default: all.")
    private Set<Condition> conditions = EnumSet.allOf(Condition.class);

    @Option(names = "--sizes", split = ",", description = "Bytes of a round trip. Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizesBytes = List.of(64, 1024, 16384);

    @Option(names = "--chunks", split = ",", description = "Bytes of a streaming write. Default: ${DEFAULT-VALUE}.")
    private List<Integer> chunksBytes = List.of(1024, 8192, 65536, 1048576);

    @Option(names = "--nagle", description = "Stream without TCP_NODELAY, as the JDK makes connections.")
    private boolean nagle;

    @Option(names = "--connections", split = ",", description = "Of the selector echo. Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections = List.of(100, 1000);

    @Option(names = "--open", description = "Open connections of the echo with 100 active. Default: ${DEFAULT-VALUE}.")
    private int openConnections = 10_000;

    @Option(names = "--idle", description = "Idle connections. Default: ${DEFAULT-VALUE}.")
    private int idleConnections = 1000;

    @Option(names = "--connects", description = "Of the row that looks for growth. Default: ${DEFAULT-VALUE}.")
    private int connects = 10_000;

    @Option(names = "--threads", description = "Blocking threads a side. Default: ${DEFAULT-VALUE}.")
    private int threads = 64;

    @Option(
            names = "--both-placements",
            paramLabel = "SECONDS",
            description = "Repeat rows until they were seen with near and with far cores, for so long at most.")
    private long bothPlacementsSeconds;

    @Option(names = "--jdk", paramLabel = "PATH", description = "JDK of the children. Default: the one running this.")
    private Path jdk = Path.of(System.getProperty("java.home"));

    @Mixin
    private final RoundOptions options =
            new RoundOptions(List.of(Face.values()), new Lengths(5, 0.5, 1.5), new Lengths(5, 0.1, 0.3));

    public static void main(String[] args) {
        System.exit(new CommandLine(new Compare())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws IOException, EndpointFailure, InterruptedException {
        Transport subject = new Transport("EXS", options.agent(), options.jvmArgs);
        Transport baseline = options.hasOther()
                ? new Transport("BASE", options.otherAgent(), options.otherJvmArgs())
                : new Transport("TCP", null, List.of());
        List<Transport> transports = List.of(baseline, subject);
        StatsProof proof = new StatsProof(Files.createTempDirectory("exs-bench"), "soft");
        List<RowResult> results =
                Plan.rows(choice()).stream().map(RowResult::new).toList();
        Judge judge = new Judge(baseline, subject, results);
        Host host;
        try (Comparison comparison = new Comparison(transports, settings(), proof)) {
            host = Host.here(comparison.javaVersion(), conditions(), "bench/compare", options.arguments());
            host.lines().forEach(System.out::println);
            Table table = new Table(System.out, baseline, subject, judge);
            table.printHead();
            Consumer<RowResult> onResult = table::print;
            comparison.run(results, onResult);
            comparison.runInBothPlacements(results, bothPlacementsSeconds, onResult);
        }
        AllocationTable.print(System.out, transports, results);
        GrowthTable.print(System.out, transports, results);
        FirstTable.print(System.out, transports, results);
        printTargets(judge, results);
        if (options.csv != null) {
            Csv.write(options.csv, host, transports, results, judge);
        }
        return verdict(proof, results);
    }

    private Comparison.Settings settings() {
        String java = jdk.resolve("bin/java").toString();
        return new Comparison.Settings(java, options.rounds(), options.warmUpSeconds(), true, options.verbose);
    }

    /** {@return the version of the JDK that runs the rows, as its file {@code release} says} */
    private int featureOfChildren() throws IOException {
        Properties release = new Properties();
        try (Reader in = Files.newBufferedReader(jdk.resolve("release"))) {
            release.load(in);
        }
        String version = release.getProperty("JAVA_VERSION", "\"0\"").replace("\"", "");
        return Runtime.Version.parse(version).feature();
    }

    private Plan.Choice choice() throws IOException {
        boolean opens = groups.contains(Plan.Group.ECHO) && conditions.contains(Condition.IDLE_MACHINE);
        return new Plan.Choice(
                groups,
                conditions,
                options.faces,
                sizesBytes,
                chunksBytes,
                nagle,
                connections,
                opens ? Descriptors.connections(openConnections) : 0,
                idleConnections,
                connects,
                threads,
                options.seconds(),
                new PacedRows.Lengths(
                        options.pacedSeconds(),
                        options.pacedWarmUpSeconds(),
                        featureOfChildren() >= FIRST_WITH_VIRTUAL_THREADS),
                options.rowPattern);
    }

    private String conditions() {
        return "medians of " + options.rounds() + " rounds, TCP_NODELAY set" + (nagle ? " except for streams" : "")
                + options.conditions();
    }

    private void printTargets(Judge judge, List<RowResult> results) {
        List<String> below = new ArrayList<>();
        for (RowResult result : results) {
            for (RowResult part : result.parts()) {
                judge.unmet(part)
                        .forEach(unmet -> below.add(result.row().name() + " (" + part.cores() + "): wanted " + unmet));
            }
        }
        System.out.println();
        System.out.println(below.isEmpty() ? "no row below its target" : "rows below their targets:");
        below.forEach(line -> System.out.println("    " + line));
        long lacking = Comparison.lacking(results).size();
        if (lacking > 0) {
            System.out.println(lacking + " rows were not seen in both placements of the cores (--both-placements)");
        }
    }

    /** Prints what has failed, or the proof. {@return the exit code} */
    static int verdict(StatsProof proof, List<RowResult> results) {
        proof.failures().forEach(failure -> System.out.println("FAILED: " + failure));
        long failedRows = results.stream().filter(RowResult::failed).count();
        if (failedRows > 0) {
            System.out.println("FAILED: " + failedRows + " of " + results.size() + " rows");
        }
        if (proof.failures().isEmpty()) {
            System.out.println("proof from exs.stats: " + proof.summary());
        }
        return proof.failures().isEmpty() && failedRows == 0 ? 0 : 1;
    }
}
