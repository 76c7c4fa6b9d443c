package org.exsockets.bench.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.exsockets.bench.e2e.endpoint.Fields;
import org.exsockets.bench.e2e.endpoint.Kind;
import org.junit.jupiter.api.Test;

/** What the tools are asked and how their answers are read; the answers are from real runs. */
class ToolsTest {
    private static final double ROUNDING = 1e-9;
    private static final Fields ROUND_TRIP = Row.spec(Kind.ROUND_TRIP, 64);
    private static final Fields STREAM = Row.spec(Kind.STREAM, 64);

    private final Rstream rstream = new Rstream("rs-wait", "10.9.0.1", List.of("-T", "b"));
    private final Perftest perftest = new Perftest("10.9.0.1");

    @Test
    void rstreamGoesThereAndBackOncePerRoundTrip() {
        assertEquals(
                "rstream -s 10.9.0.1 -p 7003 -S 64 -C 1 -I 100 -T b",
                String.join(" ", rstream.client(ROUND_TRIP, 7003, 100)));
    }

    @Test
    void rstreamSendsAllChunksBeforeItTurnsRound() {
        assertEquals(
                "rstream -b 10.9.0.1 -p 7003 -S 64 -C 100 -I 1 -T b",
                String.join(" ", rstream.server(STREAM, 7003, 100)));
    }

    @Test
    void rstreamTellsTheTimeOfOneWay() {
        String output = "name      bytes   xfers   iters   total       time     Gb/sec    usec/xfer\n"
                + "custom    64      1       100     12k         0.17s      0.00     856.95\n";
        assertEquals(2 * 856_950.0, rstream.figures(ROUND_TRIP, output).get("p50Ns"), ROUNDING);
        assertEquals(64 / 856_950.0, rstream.figures(STREAM, output).get("server.sliceBytesPerNs"), ROUNDING);
    }

    @Test
    void perftestTellsTheMedianOfHalfARoundTrip() {
        Map<String, Double> figures = perftest.figures(
                ROUND_TRIP,
                " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]"
                        + "   99% percentile[usec]   99.9% percentile[usec] \n"
                        + " 64      100          9.16           8013.83      9.44     \t       1325.35     \t1842.52\t"
                        + "\t8013.83 \t\t8013.83\n");
        assertEquals(2 * 9_440.0, figures.get("p50Ns"), ROUNDING);
        assertEquals(2 * 8_013_830.0, figures.get("p99Ns"), ROUNDING);
    }

    @Test
    void perftestTellsThroughputInGigabits() {
        Map<String, Double> figures = perftest.figures(
                STREAM,
                " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
                        + " 64         100           0.027687            0.014560            0.028438\n");
        assertEquals(0.01456 / 8, figures.get("server.sliceBytesPerNs"), ROUNDING);
    }

    @Test
    void anAnswerWithoutAResultIsAFailure() {
        assertThrows(IllegalArgumentException.class, () -> rstream.figures(STREAM, "rconnect: Connection refused\n"));
        assertThrows(IllegalArgumentException.class, () -> perftest.figures(STREAM, "Couldn't connect\n"));
    }
}
