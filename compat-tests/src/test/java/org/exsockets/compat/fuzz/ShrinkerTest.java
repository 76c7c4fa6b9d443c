package org.exsockets.compat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    private static final int TRIES = 10_000;

    private static FuzzProgram program(int operations) {
        List<Operation> all = new ArrayList<>();
        for (int i = 1; i <= operations; i++) {
            all.add(new Operation(i, "A", "s1", "read", List.of("direct", "100")));
        }
        return new FuzzProgram(List.of(), all);
    }

    private static boolean has(FuzzProgram program, int number) {
        return program.operations().stream().anyMatch(operation -> operation.number() == number);
    }

    @Test
    void onlyTheOperationsThatAFailureNeedsRemain() throws Exception {
        for (int size : new int[] {3, 8, 37}) {
            FuzzProgram small = new Shrinker(program -> has(program, 1) && has(program, 3) && has(program, size), TRIES)
                    .shrink(program(size));
            assertEquals(
                    size == 3 ? List.of(1, 3) : List.of(1, 3, size),
                    small.operations().stream().map(Operation::number).toList());
        }
    }

    @Test
    void argumentsGetAsPlainAsAFailureAllows() throws Exception {
        FuzzProgram small = new Shrinker(
                        program -> program.operations().stream()
                                .anyMatch(operation -> Integer.parseInt(operation.argument(1)) > 20),
                        TRIES)
                .shrink(program(5));
        assertEquals(1, small.operations().size());
        assertEquals(List.of("heap", "25"), small.operations().get(0).arguments());
    }

    @Test
    void noMoreProgramsAreTriedThanAllowed() throws Exception {
        AtomicInteger tried = new AtomicInteger();
        new Shrinker(program -> tried.incrementAndGet() > 0 && has(program, 20), 13).shrink(program(20));
        assertEquals(13, tried.get());
    }
}
