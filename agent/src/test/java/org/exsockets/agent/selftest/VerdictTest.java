package org.exsockets.agent.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static Result result(String wrong) {
        Result result = new Result();
        for (Face face : Face.values()) {
            result.checks.add(new Result.Checked(face, Transport.EXS, 1_000, face == Face.SOCKET ? wrong : ""));
        }
        for (Row row : Row.lasting()) {
            Measured measured = new Measured(row);
            measured.add(Transport.TCP, new Slice(20, 30, 40, 1, 1_000, 100));
            measured.add(Transport.EXS, new Slice(10, 30, 40, 1, 1_000, 50));
            result.rows.add(measured);
        }
        result.made = 3;
        result.statistics.add("{\"connections\":{\"soft\":3,\"disni\":0,\"tcp\":0},\"fallbacks\":{}}");
        return result;
    }

    @Test
    void allIsWell() {
        Verdict verdict = Verdict.of(result(""));
        assertTrue(verdict.good());
        assertEquals(
                "EXS is used over shared memory, all data was right. It is worth it for round trips (2.0 times as fast),"
                        + " 100 requests a second (2.0 times as fast), 1,000 requests a second (2.0 times as fast), but"
                        + " not for streams (2.0 times as slow), connects (2.0 times as slow). At 1,000 requests a second"
                        + " EXS takes 5.0 % of a core, TCP 10.0 %.",
                verdict.text());
    }

    @Test
    void wrongDataComesFirst() {
        Result result = result("byte 7 was 1, not 2");
        result.failure = "another one";
        Verdict verdict = Verdict.of(result);
        assertFalse(verdict.good());
        assertEquals(
                "Data did not come through (EXS, Socket: byte 7 was 1, not 2). Do not use EXS here; report it.",
                verdict.text());
    }

    @Test
    void aTestWithoutAnEndIsNotGood() {
        Result result = result("");
        result.failure = "client-exs: no answer within 60 s: trips";
        Verdict verdict = Verdict.of(result);
        assertFalse(verdict.good());
        assertEquals("The test came to no end: client-exs: no answer within 60 s: trips. Report it.", verdict.text());
    }

    /** Such as of a face that the settings leave to the JDK: nothing is counted. */
    @Test
    void oneConnectionThatIsNotExssIsNotGood() {
        Result result = result("");
        result.made++;
        Verdict verdict = Verdict.of(result);
        assertFalse(verdict.good());
        assertEquals(
                "EXS is not always used: 1 of 4 connections were TCP. Settings keep the agent from them.",
                verdict.text());
    }

    @Test
    void whereNothingIsFasterItIsNotWorthIt() {
        Map<String, Double> gains = new LinkedHashMap<>();
        gains.put("streams", 1.05);
        assertEquals("It is not worth it here: nothing is faster than over TCP.", Verdict.worth(gains));
        gains.put("connects", 0.5);
        assertEquals(
                "It is not worth it here: nothing is faster than over TCP, and slower are connects (2.0 times as"
                        + " slow).",
                Verdict.worth(gains));
        gains.put("round trips", 40.4);
        assertEquals(
                "It is worth it for round trips (40 times as fast), but not for connects (2.0 times as slow).",
                Verdict.worth(gains));
    }
}
