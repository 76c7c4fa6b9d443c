package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.util.List;

/**
 * Runs programs over TCP and over EXS and decides by {@link Evidence} whether they differ. TCP is the oracle, with everything
 * that it has done. Used by one thread.
 */
final class Judge implements AutoCloseable {
    private final World tcp;
    private final World exs;
    private final int runsOverTcp;
    private final Quiet quiet = new Quiet();

    /**
     * @param difference told in words, with how often it was seen; empty if there is none
     * @param overExs a run that shows it
     */
    record Verdict(Evidence.Outcome outcome, String difference, Trace overTcp, Trace overExs) {}

    /** Takes over both worlds. */
    Judge(World tcp, World exs) throws IOException {
        this(tcp, exs, Evidence.RUNS_OVER_TCP);
    }

    /** @param runsOverTcp how many TCP gets to show what the other world does, before it counts */
    Judge(World tcp, World exs, int runsOverTcp) throws IOException {
        this.tcp = tcp;
        this.exs = exs;
        this.runsOverTcp = runsOverTcp;
    }

    Trace overTcp(FuzzProgram program) throws IOException, InterruptedException {
        return Conductor.run(tcp, quiet, program);
    }

    Trace overExs(FuzzProgram program) throws IOException, InterruptedException {
        return Conductor.run(exs, quiet, program);
    }

    /** Returns how a program differs, run once over each: the same for programs that show the same. Empty if it does not. */
    String symptom(FuzzProgram program) throws IOException, InterruptedException {
        return Comparer.symptom(program, overTcp(program), overExs(program));
    }

    /** Makes a program that differs smaller while it differs in the same way, twice in a row. */
    FuzzProgram shrink(FuzzProgram program, Verdict verdict, int tries) throws IOException, InterruptedException {
        String symptom = Comparer.symptom(program, verdict.overTcp(), verdict.overExs());
        return new Shrinker(
                        smaller -> symptom(smaller).equals(symptom)
                                && symptom(smaller).equals(symptom),
                        tries)
                .shrink(program);
    }

    /** Runs a program, again and again if there is a difference, until it is clear what that is. */
    Verdict judge(FuzzProgram program) throws IOException, InterruptedException {
        Evidence evidence = new Evidence(program, runsOverTcp);
        for (int[] needs = evidence.needs(); needs != null; needs = evidence.needs()) {
            for (int i = 0; i < Math.max(needs[0], needs[1]); i++) {
                if (i < needs[1]) {
                    evidence.addTcp(overTcp(program));
                }
                if (i < needs[0]) {
                    evidence.addExs(overExs(program));
                }
            }
        }
        return new Verdict(evidence.outcome(), evidence.told(), evidence.expected(), evidence.differing());
    }

    /** Ends the world of EXS in order and tells what is wrong with it. What the JDK leaves behind over TCP is its own. */
    List<String> end() throws IOException {
        return exs.end();
    }

    @Override
    public void close() throws IOException {
        tcp.close();
        exs.close();
    }
}
