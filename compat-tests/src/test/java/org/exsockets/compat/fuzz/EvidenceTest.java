package org.exsockets.compat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EvidenceTest {
    private static final FuzzProgram PROGRAM = FuzzProgram.parse(List.of("1 A s1 read heap 5", "2 A s1 state"));

    private int runsOverTcp;
    private int runsOverExs;
    private String told;

    private static Trace trace(String... observed) {
        Trace trace = new Trace();
        for (int i = 0; i < observed.length; i++) {
            trace.add(i + 1, i + 1, observed[i]);
        }
        return trace;
    }

    /** Runs as often as is asked for. */
    private Evidence.Outcome judged(Iterator<Trace> overTcp, Iterator<Trace> overExs) {
        Evidence evidence = new Evidence(PROGRAM, Evidence.RUNS_OVER_TCP);
        for (int[] needs = evidence.needs(); needs != null; needs = evidence.needs()) {
            for (int i = 0; i < needs[0]; i++, runsOverExs++) {
                evidence.addExs(overExs.next());
            }
            for (int i = 0; i < needs[1]; i++, runsOverTcp++) {
                evidence.addTcp(overTcp.next());
            }
        }
        told = evidence.told();
        return evidence.outcome();
    }

    private static Iterator<Trace> always(Trace trace) {
        return IntStream.iterate(0, i -> i + 1).mapToObj(i -> trace).iterator();
    }

    /** The second one in the runs of these numbers, from 0 on. */
    private static Iterator<Trace> sometimes(Trace first, Trace second, Integer... runs) {
        List<Integer> chosen = new ArrayList<>(List.of(runs));
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> chosen.contains(i) ? second : first)
                .iterator();
    }

    @Test
    void whatIsTheSameAtOnceRunsOnce() {
        assertEquals(Evidence.Outcome.SAME, judged(always(trace("5")), always(trace("5"))));
        assertEquals(1, runsOverTcp);
        assertEquals(1, runsOverExs);
        assertEquals("", told);
    }

    @Test
    void whatExsAlwaysDoesIsFoundWithFewRunsOfIts() {
        assertEquals(Evidence.Outcome.DIFFERENT, judged(always(trace("5")), always(trace("-1"))));
        assertEquals(150, runsOverTcp);
        assertEquals(6, runsOverExs);
        assertTrue(told.contains("6 of 6 runs over EXS, none of 150 over TCP"), told);
    }

    @Test
    void whatExsAlwaysDoesIsRightIfTcpDoesItOnceInAHundredRuns() {
        assertEquals(
                Evidence.Outcome.SAME_AS_ONE_OF_TCPS,
                judged(sometimes(trace("5"), trace("-1"), 100), always(trace("-1"))));
        assertEquals(102, runsOverTcp);
        assertEquals(6, runsOverExs);
    }

    @Test
    void whatTcpDoesInLaterRunsIsRight() {
        assertEquals(
                Evidence.Outcome.SAME_AS_ONE_OF_TCPS,
                judged(sometimes(trace("5"), trace("-1"), 3), always(trace("-1"))));
        assertEquals(6, runsOverTcp);
    }

    @Test
    void whatExsDoesSeldomIsLookedForOverTcpMoreOften() {
        assertEquals(
                Evidence.Outcome.SAME_AS_ONE_OF_TCPS,
                judged(sometimes(trace("5"), trace("-1"), 50), sometimes(trace("5"), trace("-1"), 0, 2, 8, 15)));
        assertEquals(60, runsOverTcp);
        assertEquals(20, runsOverExs);
    }

    @Test
    void whatExsDoesTooSeldomIsNotCountedButTold() {
        assertEquals(
                Evidence.Outcome.SELDOM_DIFFERENT,
                judged(always(trace("5")), sometimes(trace("5"), trace("-1"), 0, 12)));
        assertTrue(told.contains("2 of 20 runs over EXS, none of 60 over TCP"), told);
        assertTrue(told.contains("Outcome a: TCP 60, EXS 18. Outcome b: TCP 0, EXS 2."), told);
    }

    @Test
    void whatExsDoesInEveryFourthRunCounts() {
        assertEquals(
                Evidence.Outcome.DIFFERENT,
                judged(always(trace("5")), sometimes(trace("5"), trace("-1"), 0, 4, 8, 12, 16)));
        assertEquals(150, runsOverTcp);
    }

    @Test
    void whatDiffersBehindWhatTcpDoesNotDecideCounts() {
        assertEquals(
                Evidence.Outcome.DIFFERENT,
                judged(
                        sometimes(trace("5", "open"), trace("0", "open"), 1, 3, 4),
                        sometimes(trace("5", "closed"), trace("0", "closed"), 0, 2, 5)));
        assertEquals(6, runsOverExs);
    }

    @Test
    void runsThatDoDifferentThingsDoNotCountTogether() {
        Iterator<Trace> each = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> trace(i % 6 == 0 ? "!" + "abcdefg".charAt(i / 6) : "5"))
                .iterator();
        assertEquals(Evidence.Outcome.SELDOM_DIFFERENT, judged(always(trace("5")), each));
    }

    @Test
    void chanceIsThatAllWhoShowSomethingAreOverExs() {
        assertTrue(Evidence.isByChance(1, 1, 1));
        assertTrue(Evidence.isByChance(5, 6, 6));
        assertFalse(Evidence.isByChance(6, 6, 6));
        assertTrue(Evidence.isByChance(4, 20, 60));
        assertFalse(Evidence.isByChance(5, 20, 60));
    }

    @Test
    void nothingIsNeededOnceItIsClear() {
        Evidence evidence = new Evidence(PROGRAM, Evidence.RUNS_OVER_TCP);
        evidence.addTcp(trace("5"));
        evidence.addExs(trace("5"));
        assertNull(evidence.needs());
    }
}
