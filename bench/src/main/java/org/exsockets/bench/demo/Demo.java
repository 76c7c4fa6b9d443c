package org.exsockets.bench.demo;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The demonstration's command: runs the workloads, prints the tables, and fails unless every result agrees and every
 * byte of the EXS runs went over EXS. One thread; one use per JVM.
 */
@Command(name = "bench/demo", description = "Runs unmodified programs over plain TCP and over EXS and compares them.")
public final class Demo implements Callable<Integer> {
    @Option(names = "--short", description = "Little data and three rounds each, for a quick check.")
    private boolean brief;

    @Option(names = "--only", paramLabel = "PROGRAM", description = "Only these: ${COMPLETION-CANDIDATES}.")
    private List<Workload> only = List.of(Workload.values());

    @Option(names = "--jdk", paramLabel = "PATH", description = "Home of the JDK to run the programs on.")
    private Path jdk = Path.of(System.getProperty("java.home"));

    @Option(names = "--host", paramLabel = "ADDRESS", description = "Address of this host that the programs use.")
    private String host = "127.0.0.1";

    @Option(names = "--exs", paramLabel = "NAME=VALUE", description = "An EXS setting for the EXS runs; repeatable.")
    private List<String> settings = List.of();

    @Option(names = "--jvm", paramLabel = "OPTION", description = "An option for every program's JVM; repeatable.")
    private List<String> jvmOptions = List.of();

    @Option(names = "--less", paramLabel = "N", description = "Do an Nth of the operations, for a slow machine.")
    private int divisor = 1;

    @Option(names = "--patience", paramLabel = "N", description = "Wait N times as long before giving up.")
    private int patience = 1;

    @Option(names = "--keep-logs", paramLabel = "DIR", description = "Keep the programs' output and statistics here.")
    private Path keptLogs;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this message.")
    private boolean help;

    private Demo() {}

    /** Runs the command and ends the JVM with its exit code: 0 if all is well, 1 if not, 2 for a wrong option. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Demo())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Progress progress = new Progress(System.out);
        Path logs = keptLogs == null
                ? Files.createTempDirectory("exs-demo-")
                : Files.createDirectories(keptLogs).toAbsolutePath();
        List<String> objections = new ArrayList<>();
        try {
            ChildLauncher launcher = new ChildLauncher(
                    jdk.toAbsolutePath(),
                    ChildLauncher.ownClassPath(),
                    agent(),
                    host,
                    settings,
                    jvmOptions,
                    patience,
                    logs,
                    progress);
            System.out.println("Programs run on Java " + javaVersion() + ", "
                    + Runtime.getRuntime().availableProcessors() + " processors; logs in " + logs);
            List<WorkloadRun> runs = runAll(launcher, progress);
            ResultTables tables = new ResultTables(System.out);
            tables.results(runs);
            tables.proof(runs);
            runs.forEach(run -> objections.addAll(run.objections()));
        } catch (DemoFailure e) {
            objections.add(e.getMessage());
        }
        System.out.println();
        if (!objections.isEmpty()) {
            objections.forEach(objection -> System.out.println("  " + objection));
            // Repeats what failed: an objection may end with the stacks of a whole JVM.
            System.out.println("FAILED after " + seconds(progress) + "; logs are in " + logs);
            objections.forEach(objection ->
                    System.out.println("  " + objection.lines().findFirst().orElse("")));
            return 1;
        }
        if (keptLogs == null) {
            deleteAll(logs);
        }
        System.out.println(
                "All results agree, and all bytes of the EXS runs went over EXS. " + seconds(progress) + ".");
        return 0;
    }

    private List<WorkloadRun> runAll(ChildLauncher launcher, Progress progress)
            throws DemoFailure, InterruptedException {
        List<WorkloadRun> runs = new ArrayList<>();
        for (Workload workload : only) {
            WorkloadRun run = new WorkloadRun(workload, brief, divisor, launcher, progress);
            run.run();
            runs.add(run);
        }
        return runs;
    }

    /** {@return the agent's jar, found from where this class came from: {@code bench/target}} */
    private static Path agent() throws DemoFailure {
        Path own;
        try {
            own = Path.of(Demo.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new DemoFailure("cannot tell where the demonstration is: " + e.getMessage(), e);
        }
        Path agent = own.resolve("../../../agent/target/exs-agent.jar").normalize();
        if (!Files.isRegularFile(agent)) {
            throw new DemoFailure("no agent at " + agent + ": build it with mvn -DskipTests package");
        }
        return agent;
    }

    private String javaVersion() throws DemoFailure {
        Properties release = new Properties();
        try (var reader = Files.newBufferedReader(jdk.resolve("release"))) {
            release.load(reader);
        } catch (IOException e) {
            throw new DemoFailure("--jdk " + jdk + " is not the home of a JDK: no file 'release' there", e);
        }
        return release.getProperty("JAVA_VERSION", "of unknown version").replace("\"", "");
    }

    private static String seconds(Progress progress) {
        return String.format(Locale.ROOT, "%.0f s", progress.elapsedSeconds());
    }

    private static void deleteAll(Path directory) throws IOException {
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(directory)) {
            paths = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }
}
