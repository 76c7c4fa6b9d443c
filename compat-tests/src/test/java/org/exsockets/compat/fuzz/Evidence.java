package org.exsockets.compat.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the runs of one program have shown over TCP and over EXS, and what follows from it. Used by one thread.
 *
 * <p>An outcome over EXS is right if TCP has had it. One that TCP has not had counts if neither of two things may be:
 *
 * <ul>
 *   <li>that TCP has it as often as EXS: of the runs over both only those over EXS would show it less than once in
 *       {@link #ONCE_IN} times (Fisher's exact test). The first look finds what EXS always or mostly does; before what it
 *       does seldom is judged, TCP gets three times as many runs as EXS to show it;
 *   <li>that TCP has it seldom, where EXS mostly has it: which of two threads is faster, TCP does not decide, but one
 *       transport may prefer the one, and the other the other. So TCP gets {@link #RUNS_OVER_TCP} runs to show it: what it
 *       does once in 20 times it would then miss less than once in 2,000 times.
 * </ul>
 */
final class Evidence {
    /** Looks, one after the other: how many runs there are over EXS and over TCP. */
    private static final int[][] LOOKS = {{6, 6}, {6, 18}, {20, 60}};

    private static final int ONCE_IN = 500;

    /** Before anything counts; in pieces, since TCP may show it soon. */
    static final int RUNS_OVER_TCP = 150;

    private static final int PIECE = 6;

    private final FuzzProgram program;
    private final int runsOverTcp;
    private final List<Trace> overTcp = new ArrayList<>();
    private final List<Trace> overExs = new ArrayList<>();

    /** What runs show. */
    enum Outcome {
        SAME,
        /** TCP has had several outcomes, among them all that EXS had. */
        SAME_AS_ONE_OF_TCPS,
        /** EXS has done what TCP has not, but so seldom that TCP may do it, too. */
        SELDOM_DIFFERENT,
        DIFFERENT
    }

    /** Where a run leaves what TCP does, and which runs do. */
    private record Deviation(Comparer.Pair pair, List<Trace> traces) {}

    /** @param runsOverTcp how many TCP gets before anything counts; {@link #RUNS_OVER_TCP} where threads may race */
    Evidence(FuzzProgram program, int runsOverTcp) {
        this.program = program;
        this.runsOverTcp = runsOverTcp;
    }

    void addTcp(Trace trace) {
        overTcp.add(trace);
    }

    void addExs(Trace trace) {
        overExs.add(trace);
    }

    /** Returns how many more runs over EXS and over TCP the next look needs; null if the outcome is clear. */
    int[] needs() {
        if (overExs.isEmpty() || overTcp.isEmpty()) {
            return new int[] {1 - overExs.size(), 1 - overTcp.size()};
        }
        Outcome outcome = outcome();
        if (outcome == Outcome.DIFFERENT && overTcp.size() < runsOverTcp) {
            return new int[] {0, Math.min(PIECE, runsOverTcp - overTcp.size())};
        }
        if (outcome != Outcome.SELDOM_DIFFERENT) {
            return null;
        }
        for (int[] look : LOOKS) {
            if (overExs.size() < look[0] || overTcp.size() < look[1]) {
                return new int[] {look[0] - overExs.size(), look[1] - overTcp.size()};
            }
        }
        return null;
    }

    /** Returns what the runs so far show, if there are to be no more. */
    Outcome outcome() {
        Deviation deviation = deviation();
        if (deviation == null) {
            return overTcp.stream().allMatch(trace -> same(overTcp.get(0), trace))
                    ? Outcome.SAME
                    : Outcome.SAME_AS_ONE_OF_TCPS;
        }
        return isByChance(deviation.traces().size(), overExs.size(), overTcp.size())
                ? Outcome.SELDOM_DIFFERENT
                : Outcome.DIFFERENT;
    }

    /** Returns a run over TCP to compare {@link #differing} with. */
    Trace expected() {
        return overTcp.get(0);
    }

    /** Returns a run over EXS that did what TCP has not done; any if there is none. */
    Trace differing() {
        Deviation deviation = deviation();
        return deviation == null ? overExs.get(0) : deviation.traces().get(0);
    }

    /** Tells what EXS did that TCP did not, and how often either did what; empty if nothing. */
    String told() {
        Deviation deviation = deviation();
        if (deviation == null) {
            return "";
        }
        StringBuilder told = new StringBuilder(Comparer.told(program, deviation.pair()));
        told.append(System.lineSeparator())
                .append("That: ")
                .append(deviation.traces().size())
                .append(" of ")
                .append(overExs.size())
                .append(" runs over EXS, none of ")
                .append(overTcp.size())
                .append(" over TCP.");
        List<Trace> outcomes = new ArrayList<>();
        overTcp.forEach(trace -> addUnlessThere(outcomes, trace));
        overExs.forEach(trace -> addUnlessThere(outcomes, trace));
        for (Trace each : outcomes) {
            told.append(" Outcome ")
                    .append((char) ('a' + Math.min(outcomes.indexOf(each), 25)))
                    .append(": TCP ")
                    .append(count(overTcp, each))
                    .append(", EXS ")
                    .append(count(overExs, each))
                    .append('.');
        }
        return told.toString();
    }

    private void addUnlessThere(List<Trace> outcomes, Trace trace) {
        if (outcomes.stream().noneMatch(known -> same(known, trace))) {
            outcomes.add(trace);
        }
    }

    private long count(List<Trace> runs, Trace outcome) {
        return runs.stream().filter(run -> same(outcome, run)).count();
    }

    private boolean same(Trace expected, Trace actual) {
        return Comparer.firstPair(program, expected, actual) == null;
    }

    /** Returns the deviation of most runs; null if there is none. */
    private Deviation deviation() {
        Map<String, Deviation> found = new LinkedHashMap<>();
        for (Trace trace : overExs) {
            Comparer.Pair latest = latestPair(trace);
            if (latest != null) {
                found.computeIfAbsent(latest.kindOverExs(), kind -> new Deviation(latest, new ArrayList<>()))
                        .traces()
                        .add(trace);
            }
        }
        Deviation most = null;
        for (Deviation each : found.values()) {
            if (most == null || each.traces().size() > most.traces().size()) {
                most = each;
            }
        }
        return most;
    }

    /** Returns where a run leaves the run over TCP that it has followed longest; null if it has followed one to the end. */
    private Comparer.Pair latestPair(Trace trace) {
        Comparer.Pair latest = null;
        for (Trace expected : overTcp) {
            Comparer.Pair pair = Comparer.firstPair(program, expected, trace);
            if (pair == null) {
                return null;
            }
            if (latest == null || pair.index() > latest.index()) {
                latest = pair;
            }
        }
        return latest;
    }

    /**
     * Tells whether chance may be why only runs over EXS show something.
     *
     * @param shown how many of the runs over EXS do
     */
    static boolean isByChance(int shown, int runsOverExs, int runsOverTcp) {
        double chance = 1; // That all that show it are among those over EXS: C(exs, shown) / C(exs + tcp, shown).
        for (int i = 0; i < shown; i++) {
            chance *= (double) (runsOverExs - i) / (runsOverExs + runsOverTcp - i);
        }
        return chance * ONCE_IN > 1;
    }
}
