package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.exsockets.bench.e2e.endpoint.Face;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code bench/compare}. Exit code 0: all rows ran and EXS was proved; 1: not so; 2: misuse. */
@Command(
        name = "bench/compare",
        sortOptions = false,
        description = "Compares EXS with plain TCP between two JVMs, round by round in turn, and prints one table.")
final class Compare implements Callable<Integer> {
    private static final double QUICK_SECONDS = 0.1;
    private static final double QUICK_WARM_UP_SECONDS = 0.3;

    @Option(names = "--only", split = ",", description = "Groups of rows: ${COMPLETION-CANDIDATES}. Default: all.")
    private Set<Plan.Group> groups = EnumSet.allOf(Plan.Group.class);

    @Option(names = "--row", paramLabel = "REGEX", description = "Only rows whose name contains a match.")
    private String rowPattern = "";

    @Option(names = "--faces", split = ",", description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private List<Face> faces = List.of(Face.CHANNEL, Face.SOCKET, Face.SELECTOR);

    @Option(names = "--heap", description = "Rows for blocking channels with heap buffers, too.")
    private boolean heap;

    @Option(names = "--sizes", split = ",", description = "Bytes of a round trip. Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizesBytes = List.of(64);

    @Option(names = "--chunks", split = ",", description = "Bytes of a streaming write. Default: ${DEFAULT-VALUE}.")
    private List<Integer> chunksBytes = List.of(1024, 8192, 65536, 1048576);

    @Option(names = "--nagle", description = "Stream without TCP_NODELAY, as the JDK makes connections.")
    private boolean nagle;

    @Option(names = "--connections", split = ",", description = "Of the selector echo. Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections = List.of(100);

    @Option(names = "--idle", description = "Idle connections. Default: ${DEFAULT-VALUE}.")
    private int idleConnections = 1000;

    @Option(names = "--rounds", description = "Rounds of each row and transport. Default: ${DEFAULT-VALUE}.")
    private int rounds = 5;

    @Option(names = "--seconds", description = "Length of a round; four times that for idle rows. Default: 0.5.")
    private Double seconds;

    @Option(names = "--warm-up", description = "Seconds of warm-up before a row's rounds. Default: 1.5.")
    private Double warmUpSeconds;

    @Option(names = "--quick", description = "Short rounds: all rows in about a minute.")
    private boolean quick;

    @Option(names = "--busy", description = "Load every core with a busy loop during the rounds.")
    private boolean busy;

    @Option(names = "--jdk", paramLabel = "PATH", description = "JDK of the children. Default: the one running this.")
    private Path jdk = Path.of(System.getProperty("java.home"));

    @Option(names = "--agent", paramLabel = "JAR", description = "Default: ${DEFAULT-VALUE}.")
    private Path agent = Path.of(System.getProperty("exs.bench.agent", "agent/target/exs-agent.jar"));

    @Option(names = "--jvm-arg", paramLabel = "ARG", description = "For the EXS JVMs: --jvm-arg=-Dexs.buffer=1m")
    private List<String> jvmArgs = new ArrayList<>();

    @Option(
            names = "--vs",
            paramLabel = "ARGS",
            description = "Compare with EXS with these JVM arguments, not with TCP.")
    private String vs;

    @Option(names = "--vs-agent", paramLabel = "JAR", description = "Compare with EXS from this agent, not with TCP.")
    private Path vsAgent;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the table there, too, as CSV.")
    private Path csv;

    @Option(names = "--help", usageHelp = true, description = "Print this.")
    private boolean help;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Compare())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws IOException, EndpointFailure {
        Transport subject = new Transport("EXS", agent.toAbsolutePath(), jvmArgs);
        Transport baseline = baseline();
        List<Transport> transports = List.of(baseline, subject);
        StatsProof proof = new StatsProof(Files.createTempDirectory("exs-bench"), "soft");
        List<RowResult> results = new ArrayList<>();
        Host host;
        try (Comparison comparison = new Comparison(transports, settings(), proof)) {
            host = new Host(comparison.javaVersion(), System.getProperty("exs.bench.commit", "unknown"), conditions());
            host.lines().forEach(System.out::println);
            Table table = new Table(System.out, baseline, subject);
            table.printHead();
            comparison.run(Plan.rows(choice()), result -> {
                results.add(result);
                table.print(result);
            });
        }
        AllocationTable.print(System.out, transports, results);
        if (csv != null) {
            Csv.write(csv, host, transports, results);
        }
        return verdict(proof, results);
    }

    private Transport baseline() {
        if (vs == null && vsAgent == null) {
            return new Transport("TCP", null, List.of());
        }
        return new Transport("BASE", (vsAgent == null ? agent : vsAgent).toAbsolutePath(), words(vs));
    }

    /** {@return the words of an option's value; none if it was not given} */
    static List<String> words(String value) {
        return value == null || value.isBlank()
                ? List.of()
                : List.of(value.trim().split("\\s+"));
    }

    private Comparison.Settings settings() {
        double warmUp = warmUpSeconds != null ? warmUpSeconds : quick ? QUICK_WARM_UP_SECONDS : 1.5;
        int busyLoops = busy ? Runtime.getRuntime().availableProcessors() : 0;
        return new Comparison.Settings(jdk.resolve("bin/java").toString(), rounds, warmUp, busyLoops, true, false);
    }

    private Plan.Choice choice() {
        List<Face> all = new ArrayList<>(faces);
        if (heap && !all.contains(Face.HEAP)) {
            all.add(Face.HEAP);
        }
        double round = seconds != null ? seconds : quick ? QUICK_SECONDS : 0.5;
        return new Plan.Choice(
                groups, all, sizesBytes, chunksBytes, nagle, connections, idleConnections, round, rowPattern);
    }

    private String conditions() {
        return "medians of " + rounds + " rounds, TCP_NODELAY set" + (nagle ? " except for streams" : "")
                + (busy ? ", every core loaded by a busy loop" : "")
                + (jvmArgs.isEmpty() ? "" : ", EXS with " + String.join(" ", jvmArgs))
                + (vs == null ? "" : ", BASE is EXS with " + (vs.isBlank() ? "defaults" : vs))
                + (vsAgent == null ? "" : ", BASE is " + vsAgent);
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
