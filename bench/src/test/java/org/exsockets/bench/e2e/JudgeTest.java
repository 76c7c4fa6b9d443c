package org.exsockets.bench.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.exsockets.bench.e2e.endpoint.Face;
import org.exsockets.bench.e2e.endpoint.Kind;
import org.junit.jupiter.api.Test;

/** Which rounds count for which placement of the cores, and what is held against which limit. */
class JudgeTest {
    private static final double NEAR_NS = 90;
    private static final double FAR_NS = 400;
    private static final Transport TCP = new Transport("TCP", null, List.of());
    private static final Transport EXS = new Transport("EXS", Path.of("exs-agent.jar"), List.of());

    private final List<RowResult> results = new ArrayList<>();
    private final Judge judge = new Judge(TCP, EXS, results);

    @Test
    void eachPlacementHasLimitsOfItsOwn() {
        RowResult result = roundTrips();
        latencies(result, NEAR_NS, NEAR_NS, 50_000, 900);
        latencies(result, FAR_NS, FAR_NS, 50_000, 2600);
        List<RowResult> parts = result.parts();
        assertEquals(2, parts.size());
        assertEquals("met", judge.verdict(parts.get(0)));
        assertEquals(List.of("p50 us <= 2.5: 2.6"), judge.unmet(parts.get(1)));
    }

    @Test
    void aRoundDuringWhichTheCoresMovedCountsForNeither() {
        RowResult result = roundTrips();
        latencies(result, NEAR_NS, NEAR_NS, 50_000, 900);
        latencies(result, NEAR_NS, FAR_NS, 50_000, 1800);
        assertEquals(1, result.parts().size());
        assertEquals(0.9, judge.subject(result.parts().get(0), Measure.LATENCY::value));
        assertTrue(result.has(Placement.NEAR));
        assertFalse(result.has(Placement.FAR));
        assertEquals("mixed", result.cores());
    }

    @Test
    void coresThatNobodyProbedAreNotSaidToHaveMoved() {
        RowResult result = roundTrips();
        result.add(TCP, latency(50_000));
        result.add(EXS, latency(900));
        assertEquals("-", result.cores());
    }

    @Test
    void idleConnectionsAreJudgedByTheRowWithoutThem() {
        RowResult without = rates("selector echo 100", Targets.echo(Condition.IDLE_MACHINE), 100, 300);
        RowResult among = rates("selector echo 100 of 10000", Targets.echoAmongIdle("selector echo 100"), 100, 280);
        results.addAll(List.of(without, among));
        assertEquals("met", judge.verdict(without));
        assertEquals(
                List.of("ratio to row selector echo 100 >= 0.95: 0.933"),
                judge.unmet(among.parts().get(0)));
    }

    @Test
    void nothingIsAskedAgainstAnotherExs() {
        RowResult result = roundTrips();
        latencies(result, NEAR_NS, NEAR_NS, 50_000, 90_000);
        assertEquals("-", new Judge(EXS, EXS, results).verdict(result.parts().get(0)));
    }

    private static RowResult roundTrips() {
        return new RowResult(new Row(
                "round trip",
                Measure.LATENCY,
                Row.spec(Kind.ROUND_TRIP, 64),
                Condition.IDLE_MACHINE,
                1,
                Targets.roundTrip(Condition.IDLE_MACHINE, Face.CHANNEL, 64)));
    }

    private static void latencies(RowResult result, double beforeNs, double afterNs, double tcpNs, double exsNs) {
        for (int round = 0; round < 2; round++) {
            result.add(TCP, latency(tcpNs).placed(beforeNs, afterNs));
            result.add(EXS, latency(exsNs).placed(beforeNs, afterNs));
        }
    }

    private static Sample latency(double p50Ns) {
        return Sample.of(Map.of("p50Ns", p50Ns, "p99Ns", 2 * p50Ns));
    }

    private static RowResult rates(String name, List<Demand> demands, double tcp, double exs) {
        RowResult result =
                new RowResult(new Row(name, Measure.RATE, Row.spec(Kind.ECHO, 64), Condition.IDLE_MACHINE, 1, demands));
        for (int round = 0; round < 2; round++) {
            result.add(TCP, rate(tcp).placed(NEAR_NS, NEAR_NS));
            result.add(EXS, rate(exs).placed(NEAR_NS, NEAR_NS));
        }
        return result;
    }

    private static Sample rate(double operations) {
        return Sample.of(Map.of("operations", operations, "elapsedNs", 1e9, "p99Ns", 1000.0));
    }
}
