package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs programs over TCP and over EXS and decides whether they differ. TCP is the oracle, with everything that it has done: an
 * outcome over EXS is right if TCP has had it in one of several runs of the same program. Used by one thread.
 */
final class Judge implements AutoCloseable {
    private static final int RUNS = 5;
    private static final int MORE_RUNS = 10;

    private final World tcp;
    private final World exs;
    private final Quiet quiet = new Quiet();

    /** What a program has shown. */
    enum Outcome {
        SAME,
        /** TCP has had several outcomes, among them all that EXS had. */
        SAME_AS_ONE_OF_TCPS,
        /** Seen once and not again. */
        DIFFERED_ONCE,
        DIFFERENT
    }

    /**
     * @param difference told in words; empty if there is none
     */
    record Verdict(Outcome outcome, String difference, Trace overTcp, Trace overExs) {}

    /** Takes over both worlds. */
    Judge(World tcp, World exs) throws IOException {
        this.tcp = tcp;
        this.exs = exs;
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
        Trace expected = overTcp(program);
        Trace actual = overExs(program);
        String difference = Comparer.difference(program, expected, actual);
        if (difference == null) {
            return new Verdict(Outcome.SAME, "", expected, actual);
        }
        List<Trace> oracle = new ArrayList<>(List.of(expected));
        List<Trace> observed = new ArrayList<>(List.of(actual));
        for (int runs = RUNS; runs <= RUNS + MORE_RUNS; runs += MORE_RUNS) {
            for (int i = oracle.size(); i < runs; i++) {
                oracle.add(overTcp(program));
                observed.add(overExs(program));
            }
            List<Trace> wrong = observed.stream()
                    .filter(trace -> isWrong(program, oracle, trace))
                    .toList();
            if (wrong.isEmpty()) {
                return new Verdict(Outcome.SAME_AS_ONE_OF_TCPS, difference, expected, actual);
            }
            if (wrong.size() > 1) {
                return new Verdict(
                        Outcome.DIFFERENT,
                        Comparer.difference(program, expected, wrong.get(0)),
                        expected,
                        wrong.get(0));
            }
        }
        return new Verdict(Outcome.DIFFERED_ONCE, difference, expected, actual);
    }

    private static boolean isWrong(FuzzProgram program, List<Trace> oracle, Trace trace) {
        return oracle.stream().allMatch(expected -> Comparer.difference(program, expected, trace) != null);
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
