package org.exsockets.bench.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** The two tables at the end, up to 100 columns wide: the figures, and the proof that they were taken over EXS. */
final class ResultTables {
    private static final String RESULT = "%-34s %11s %11s %7s %8s %8s %8s %8s%n";
    private static final String PROOF = "%-22s %7s %5s %15s %15s  %s%n";

    private final PrintStream out;

    ResultTables(PrintStream out) {
        this.out = out;
    }

    /** Prints medians of the rounds, one line a step. */
    void results(List<WorkloadRun> runs) {
        out.println();
        out.printf(RESULT, "", "throughput", "throughput", "ratio", "p50, us", "p50, us", "p99, us", "p99, us");
        out.printf(RESULT, "unmodified program", "TCP", "EXS", "EXS/TCP", "TCP", "EXS", "TCP", "EXS");
        rule();
        for (WorkloadRun run : runs) {
            run.rows().forEach(this::result);
        }
        rule();
    }

    /** Prints what every JVM of the EXS runs counted, and the payload the clients moved. */
    void proof(List<WorkloadRun> runs) {
        List<Proof> proofs = runs.stream().flatMap(run -> run.proof().stream()).toList();
        if (proofs.isEmpty()) {
            return;
        }
        out.println();
        out.printf(PROOF, "exs.stats of the", "conn.", "conn.", "stream bytes", "stream bytes", "reasons for");
        out.printf(PROOF, "JVMs of the EXS runs", "EXS", "TCP", "sent over EXS", "received", "TCP");
        rule();
        proofs.forEach(this::proofOf);
        rule();
    }

    private void proofOf(Proof proof) {
        side(proof.workload().serverName() + " server", proof.server());
        side(proof.workload().clientName(), proof.client());
        String toServer = Figures.count(proof.bytesToServer());
        String toClient = Figures.count(proof.bytesToClient());
        out.printf(PROOF, "  payload, by client", "", "", toServer, toClient, "");
    }

    private void result(WorkloadRun.Row row) {
        var tcp = row.results().get(Transport.TCP);
        var exs = row.results().get(Transport.EXS);
        out.printf(
                RESULT,
                row.title(),
                Figures.throughput(row.step(), tcp),
                Figures.throughput(row.step(), exs),
                Figures.ratio(row.step(), exs, tcp),
                Figures.latencyUs(tcp.p50Ns()),
                Figures.latencyUs(exs.p50Ns()),
                Figures.latencyUs(tcp.p99Ns()),
                Figures.latencyUs(exs.p99Ns()));
    }

    private void side(String name, ExsStats stats) {
        String reasons = stats.fallbacks().entrySet().stream()
                .map(reason -> reason.getKey() + " " + reason.getValue())
                .collect(Collectors.joining(", "));
        out.printf(
                PROOF,
                name,
                Figures.count(stats.exsConnections()),
                Figures.count(stats.tcpConnections()),
                Figures.count(stats.sentBytes()),
                Figures.count(stats.receivedBytes()),
                reasons.isEmpty() ? "-" : reasons);
    }

    private void rule() {
        out.println("-".repeat(100));
    }
}
