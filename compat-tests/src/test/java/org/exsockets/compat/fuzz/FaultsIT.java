package org.exsockets.compat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The fuzzer finds what is wrong: TCP is compared with TCP that has a {@link Fault} in the channels of both its processes.
 * Without one, it finds nothing.
 */
@Tag("fuzz")
class FaultsIT {
    private static final int PROGRAMS = 80;
    private static final int PROGRAMS_WITHOUT_FAULT = 10;
    private static final int TRIES = 60;

    /** A fault is always there: no race of threads that TCP may seldom decide in the same way. */
    private static final int RUNS = 6;

    /** A connection, a write and a read take six operations; what is found first may need a few more. */
    private static final int SMALL = 12;

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void findsAFault(Fault fault) throws Exception {
        try (Judge judge = judge(fault)) {
            assertNotNull(firstDifferent(judge, PROGRAMS), () -> fault + ": not found in " + PROGRAMS + " programs");
        }
    }

    @Test
    void findsNothingWhereNothingIsWrong() throws Exception {
        try (Judge judge = judge(Fault.NONE)) {
            assertNull(firstDifferent(judge, PROGRAMS_WITHOUT_FAULT));
        }
    }

    @Test
    void showsAFaultByASmallProgram() throws Exception {
        try (Judge judge = judge(Fault.LOST_BYTE)) {
            FuzzProgram program = firstDifferent(judge, PROGRAMS);
            FuzzProgram small = judge.shrink(program, judge.judge(program), TRIES);
            assertTrue(small.operations().size() <= SMALL, () -> "not small: " + small);
            assertEquals(Evidence.Outcome.DIFFERENT, judge.judge(small).outcome());
        }
    }

    private static Judge judge(Fault fault) throws IOException {
        return new Judge(
                Campaign.tcp(),
                Campaign.tcp("-Dexs.test.fuzz.fault=" + fault),
                fault == Fault.NONE ? Evidence.RUNS_OVER_TCP : RUNS);
    }

    /** Returns the first program that differs, or null. */
    private static FuzzProgram firstDifferent(Judge judge, int programs) throws IOException, InterruptedException {
        for (long seed = 1; seed <= programs; seed++) {
            FuzzProgram program = Generator.program(seed);
            if (judge.judge(program).outcome() == Evidence.Outcome.DIFFERENT) {
                return program;
            }
        }
        return null;
    }
}
