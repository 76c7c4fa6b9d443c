package org.exsockets.bench.e2e;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.exsockets.bench.e2e.endpoint.Face;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that {@code bench/compare} and {@code bench/rdma} share; their defaults differ. */
final class RoundOptions {
    private static final double PACED_SECONDS = 2;
    private static final double PACED_WARM_UP_SECONDS = 20;
    private static final double QUICK_PACED_SECONDS = 0.5;
    private static final double QUICK_PACED_WARM_UP_SECONDS = 2;

    private final Lengths usual;
    private final Lengths hasty;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--row", paramLabel = "REGEX", description = "Only rows whose name contains a match.")
    String rowPattern = "";

    @Option(names = "--faces", split = ",", description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    List<Face> faces;

    @Option(names = "--rounds", description = "Rounds of each row and contender. Default: see below.")
    private Integer rounds;

    @Option(names = "--seconds", description = "Length of a round. Default: see below.")
    private Double seconds;

    @Option(names = "--warm-up", description = "Seconds of warm-up before a row's rounds. Default: see below.")
    private Double warmUpSeconds;

    @Option(names = "--quick", description = "Short rounds; noisy.")
    private boolean quick;

    @Option(names = "--agent", paramLabel = "JAR", description = "Default: ${DEFAULT-VALUE}.")
    private Path agent = Path.of(System.getProperty("exs.bench.agent", "agent/target/exs-agent.jar"));

    @Option(names = "--jvm-arg", paramLabel = "ARG", description = "For the EXS JVMs: --jvm-arg=-Dexs.buffer=1m")
    List<String> jvmArgs = new ArrayList<>();

    @Option(names = "--vs", paramLabel = "ARGS", description = "Compare with EXS with these JVM arguments, too.")
    private String vs;

    @Option(names = "--vs-agent", paramLabel = "JAR", description = "Compare with EXS from this agent, too.")
    private Path vsAgent;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the table there, too, as CSV.")
    Path csv;

    @Option(names = "--verbose", description = "Print what every round gave.")
    boolean verbose;

    @Option(names = "--help", usageHelp = true, description = "Print this.")
    private boolean help;

    RoundOptions(List<Face> faces, Lengths usual, Lengths quick) {
        this.faces = faces;
        this.usual = usual;
        hasty = quick;
    }

    /** {@return what was typed behind the command} */
    List<String> arguments() {
        return command.commandLine().getParseResult().originalArgs();
    }

    int rounds() {
        return rounds != null ? rounds : lengths().rounds();
    }

    double seconds() {
        return seconds != null ? seconds : lengths().seconds();
    }

    double warmUpSeconds() {
        return warmUpSeconds != null ? warmUpSeconds : lengths().warmUpSeconds();
    }

    /** {@return seconds of a round at a pace: rare requests give few figures} */
    double pacedSeconds() {
        return seconds != null ? seconds : quick ? QUICK_PACED_SECONDS : PACED_SECONDS;
    }

    double pacedWarmUpSeconds() {
        return warmUpSeconds != null ? warmUpSeconds : quick ? QUICK_PACED_WARM_UP_SECONDS : PACED_WARM_UP_SECONDS;
    }

    Path agent() {
        return agent.toAbsolutePath();
    }

    /** {@return whether there is another EXS to compare with} */
    boolean hasOther() {
        return vs != null || vsAgent != null;
    }

    Path otherAgent() {
        return (vsAgent == null ? agent : vsAgent).toAbsolutePath();
    }

    /** {@return the arguments of the other EXS, one a word} */
    List<String> otherJvmArgs() {
        return vs == null || vs.isBlank() ? List.of() : List.of(vs.trim().split("\\s+"));
    }

    /** {@return what the options say about EXS and the other one, for the head of a table} */
    String conditions() {
        return (jvmArgs.isEmpty() ? "" : ", EXS with " + String.join(" ", jvmArgs))
                + (vs == null ? "" : ", BASE is EXS with " + (vs.isBlank() ? "defaults" : vs))
                + (vsAgent == null ? "" : ", BASE is " + vsAgent.getFileName());
    }

    private Lengths lengths() {
        return quick ? hasty : usual;
    }

    /** Of rounds and warm-up. */
    record Lengths(int rounds, double seconds, double warmUpSeconds) {}
}
