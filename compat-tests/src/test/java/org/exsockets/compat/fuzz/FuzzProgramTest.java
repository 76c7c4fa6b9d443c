package org.exsockets.compat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void noWriteThatNobodyReadsIsHeldBySomeTransportsOnly() throws IOException {
        List<FuzzProgram> all = new ArrayList<>();
        for (long seed = 0; seed < 1000; seed++) {
            all.add(Generator.program(seed));
        }
        try (Stream<Path> stored = Files.list(Path.of("src/test/fuzz"))) {
            for (Path file : stored.toList()) {
                all.add(FuzzProgram.read(file));
            }
        }
        for (FuzzProgram program : all) {
            assertEquals(
                    List.of(),
                    program.operations().stream()
                            .filter(Undecided::isHeldBySome)
                            .toList(),
                    program::toString);
        }
    }

    @Test
    void onlyTheFirstOfSeveralBuffersIsOneThatIsNotThere() {
        int gone = 0;
        for (long seed = 0; seed < 200; seed++) {
            for (Operation operation : Generator.program(seed).operations()) {
                int first = operation.verb().equals("timedread") ? 1 : 0;
                int at = operation.arguments().indexOf(Margined.GONE);
                assertTrue(at < 0 || at == first, operation::toString);
                assertEquals(at, operation.arguments().lastIndexOf(Margined.GONE), operation::toString);
                gone += at < 0 ? 0 : 1;
            }
        }
        assertTrue(gone > 20, "gone=" + gone);
    }

    @Test
    void memoryThatIsNotThereCannotBeRead(@TempDir Path directory) throws IOException {
        try (FileChannel file =
                FileChannel.open(directory.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer gone = Margined.of(Margined.GONE, 100).buffer();
            assertEquals(100, gone.remaining());
            assertThrows(IOException.class, () -> file.write(gone));
        }
    }

    @Test
    void writeIsRefusedIfSomeTransportsHoldIt() {
        for (String operation : List.of(
                "1 A s1 write heap 4194304",
                "1 A s1 socket:write heap 65537",
                "1 A s1 write heap 40000 direct 40000",
                "1 A s1 put 4194304 heap 4194304",
                "1 A s1 futureput 8388608 heap 1")) {
            assertEquals(
                    "some transports hold so much",
                    Undecided.refusal(Operation.parse(operation), List.of(), Set.of()),
                    operation);
        }
        for (String operation : List.of(
                "1 A s1 write heap 65536",
                "1 A s1 write heap 8388608",
                "1 A s1 write heap 8388608 direct 1",
                "1 A s1 put 1000 heap 1",
                "1 A s1 futureput 8388608 heap 8388608",
                "1 A s1 stream s2 3000000 heap 4096 heap 4096")) {
            assertNull(Undecided.refusal(Operation.parse(operation), List.of(), Set.of()), operation);
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
