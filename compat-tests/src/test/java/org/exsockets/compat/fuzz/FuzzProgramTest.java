package org.exsockets.compat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class FuzzProgramTest {
    @Test
    void programReadsWhatItHasPrinted() {
        for (long seed = 0; seed < 200; seed++) {
            FuzzProgram program = Generator.program(seed);
            assertEquals(program, FuzzProgram.parse(program.toString().lines().toList()));
        }
    }

    @Test
    void sameSeedMakesTheSameProgramAndAnotherSeedAnother() {
        assertEquals(Generator.program(7), Generator.program(7));
        assertNotEquals(Generator.program(7).operations(), Generator.program(8).operations());
    }

    @Test
    void operationNumbersAreUnique() {
        for (long seed = 0; seed < 200; seed++) {
            List<Operation> operations = Generator.program(seed).operations();
            assertEquals(
                    operations.size(),
                    operations.stream().map(Operation::number).distinct().count());
        }
    }

    @Test
    void objectIsInTheProcessThatOpensOrAcceptsIt() {
        FuzzProgram program =
                FuzzProgram.parse(List.of("1 B s1 open niol", "2 B s1 socket:accept s3", "3 A s2 open nio"));
        assertEquals("B", program.processOf("s1"));
        assertEquals("A", program.processOf("s2"));
        assertEquals("B", program.processOf("s3"));
        assertNull(program.processOf("s4"));
    }

    @Test
    void lineThatIsNoOperationIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Operation.parse("1 C s1 open niol"));
        assertThrows(IllegalArgumentException.class, () -> Operation.parse("1 A s1"));
    }
}
