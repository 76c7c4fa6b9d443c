package org.exsockets.bench.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.exsockets.bench.e2e.endpoint.Face;

/** What the project wants to reach, row by row; {@code docs/performance.md} says how far it has come. */
final class Targets {
    private static final double NOTHING = Double.NaN;

    /** Heap buffers and streams of a Socket may cost a copy more. */
    private static final double PART_WITH_HEAP = 0.8;

    /** Where cores are short, and for idle connections beside busy ones: as good, except for noise. */
    private static final double AS_GOOD = 0.95;

    /** For a program that has run for two seconds, in relation to TCP. */
    private static final double COLD = 1.2;

    /** Where no thread sleeps, in relation to TCP's time. */
    private static final double PART_WITHOUT_SLEEP = 0.1;

    private static final double ONE_MEBIBYTE = 1 << 20;

    /** By bytes of a write: GB/s with near and with far cores, CPU seconds per GB, and ratio to TCP of a Selector. */
    private static final Map<Integer, double[]> STREAMS = Map.of(
            1 << 10, new double[] {2, 1.2, 1.0, 3},
            8 << 10, new double[] {8, 5, 0.24, 3},
            64 << 10, new double[] {20, 12, 0.15, 3},
            1 << 20, new double[] {20, 12, 0.15, 2.5});

    private Targets() {}

    static List<Demand> roundTrip(Condition condition, Face face, int sizeBytes) {
        if (condition != Condition.IDLE_MACHINE) {
            return contended();
        }
        switch (sizeBytes) {
            case 64:
                return List.of(
                        face == Face.SELECTOR ? p50(1.6, 3.5) : p50(1.0, 2.5),
                        Demand.atMost("p99 us", 10, (judge, part) -> judge.subject(part, Measure::p99Us)));
            case 1 << 10:
                return List.of(p50(1.5, NOTHING));
            case 16 << 10:
                return List.of(p50(6, NOTHING));
            default:
                return List.of();
        }
    }

    static List<Demand> oneWay() {
        return List.of(ratioToTcp(1));
    }

    static List<Demand> stream(Condition condition, Face face, int chunkBytes) {
        if (condition != Condition.IDLE_MACHINE) {
            return contended();
        }
        double[] limits = STREAMS.get(chunkBytes);
        if (limits == null) {
            return List.of();
        }
        double part = face == Face.CHANNEL ? 1 : PART_WITH_HEAP;
        Demand rate = face == Face.SELECTOR
                ? ratioToTcp(limits[3])
                : new Demand(
                        "GB/s",
                        true,
                        part * limits[0],
                        part * limits[1],
                        (judge, result) -> judge.subject(result, Measure.THROUGHPUT::value));
        return List.of(
                rate,
                Demand.atMost(
                        "CPU s/GB", limits[2], (judge, result) -> judge.subject(result, Measure.THROUGHPUT::cpu)));
    }

    static List<Demand> files() {
        return List.of(ratioToTcp(1));
    }

    static List<Demand> echo(Condition condition) {
        return condition == Condition.IDLE_MACHINE ? List.of(ratioToTcp(3)) : contended();
    }

    /** @param otherRow the row in which only the active connections are open */
    static List<Demand> echoAmongIdle(String otherRow) {
        return List.of(Demand.atLeast(
                "ratio to row " + otherRow,
                AS_GOOD,
                (judge, part) -> judge.ratioTo(otherRow, part, Measure.RATE::value)));
    }

    static List<Demand> connect(Condition condition) {
        return condition == Condition.IDLE_MACHINE ? List.of(ratioToTcp(1.2)) : contended();
    }

    /** As good as TCP, except for noise, in the rate and in the 99th percentile. */
    static List<Demand> contended() {
        return List.of(
                ratioToTcp(AS_GOOD),
                Demand.atLeast("p99 to TCP", AS_GOOD, (judge, part) -> 1 / judge.ratio(part, Measure::p99Us)));
    }

    /**
     * At a pace: nothing worse than over TCP, except for noise, or 1.2 times as much for cold programs.
     *
     * @param busy whether requests follow each other so fast that no thread sleeps
     */
    static List<Demand> paced(boolean busy, boolean cold) {
        double most = cold ? COLD : 1 / AS_GOOD;
        return List.of(
                atMostOfTcp("p50", busy ? PART_WITHOUT_SLEEP : most, Measure.LATENCY::value),
                atMostOfTcp("p99", most, Measure::p99Us),
                atMostOfTcp("p99.9", most, sample -> sample.get("p999Ns")),
                atMostOfTcp("CPU", most, Measure.LATENCY::cpu));
    }

    private static Demand atMostOfTcp(String what, double most, ToDoubleFunction<Sample> figure) {
        return Demand.atMost(what + " to TCP", most, (judge, part) -> judge.ratio(part, figure));
    }

    static List<Demand> growth() {
        List<Demand> demands = new ArrayList<>();
        Map<String, Double> limits = Map.of(
                "descriptors", 0.0,
                "mappings", 16.0,
                "threads", 4.0,
                "heapBytes", ONE_MEBIBYTE,
                "mappedBytes", ONE_MEBIBYTE);
        for (String name : GrowthTable.NAMES) {
            if (limits.containsKey(name)) {
                demands.add(Demand.atMost(
                        name + " grown",
                        limits.get(name),
                        (judge, part) -> judge.subject(part, sample -> GrowthTable.growth(sample, name))));
            }
        }
        demands.add(Demand.atMost(
                "anonymousBytes above TCP",
                10 * ONE_MEBIBYTE,
                (judge, part) -> judge.difference(part, sample -> GrowthTable.growth(sample, "anonymousBytes"))));
        return demands;
    }

    static List<Demand> idle() {
        return List.of(
                Demand.atMost("ms/s above TCP", 1, (judge, part) -> judge.difference(part, Measure.IDLE::value)));
    }

    static List<Demand> allocation() {
        return List.of(Demand.atMost("B/op", 0, (judge, part) -> judge.subject(part, Measure.ALLOCATION::value)));
    }

    static List<Demand> startUp() {
        return List.of(
                Demand.atMost("ms added", 150, (judge, part) -> judge.difference(part, Measure.START_UP::value)));
    }

    private static Demand p50(double near, double far) {
        return new Demand("p50 us", false, near, far, (judge, part) -> judge.subject(part, Measure.LATENCY::value));
    }

    private static Demand ratioToTcp(double least) {
        return Demand.atLeast("ratio to TCP", least, Judge::gain);
    }
}
