package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a program that fails smaller while it fails: takes operations away, in ever smaller pieces (delta debugging), then
 * makes sizes smaller and buffers plainer. Used by one thread.
 */
final class Shrinker {
    /** Tells whether a program still fails. */
    @FunctionalInterface
    interface Failure {
        boolean of(FuzzProgram program) throws IOException, InterruptedException;
    }

    private static final List<String> BUFFERS = List.of("direct", "slice", "array", "middle");

    private final Failure failure;
    private int triesLeft;

    /** @param tries how many programs may be tried */
    Shrinker(Failure failure, int tries) {
        this.failure = failure;
        this.triesLeft = tries;
    }

    /** Returns the smallest program that was found to fail. */
    FuzzProgram shrink(FuzzProgram program) throws IOException, InterruptedException {
        FuzzProgram smallest = program;
        FuzzProgram before;
        do {
            before = smallest;
            smallest = simplified(withFewerOperations(smallest));
        } while (!smallest.equals(before) && triesLeft > 0);
        return smallest;
    }

    private FuzzProgram withFewerOperations(FuzzProgram program) throws IOException, InterruptedException {
        FuzzProgram smallest = program;
        int piece = Math.max(1, program.operations().size() / 2);
        while (true) {
            boolean found = false;
            for (int from = smallest.operations().size() - piece; from > -piece && triesLeft > 0; from -= piece) {
                List<Operation> rest = new ArrayList<>(smallest.operations());
                rest.subList(Math.max(0, from), Math.min(rest.size(), from + piece))
                        .clear();
                if (rest.size() < smallest.operations().size() && fails(smallest.with(rest))) {
                    smallest = smallest.with(rest);
                    found = true;
                }
            }
            if (piece == 1 && !found || triesLeft <= 0) {
                return smallest;
            }
            piece = found ? piece : Math.max(1, piece / 2);
        }
    }

    private FuzzProgram simplified(FuzzProgram program) throws IOException, InterruptedException {
        FuzzProgram simplest = program;
        for (int i = 0; i < program.operations().size(); i++) {
            for (int j = 0; j < program.operations().get(i).arguments().size(); j++) {
                for (String simpler : simpler(simplest.operations().get(i).argument(j))) {
                    FuzzProgram candidate = replaced(simplest, i, j, simpler);
                    if (triesLeft > 0 && fails(candidate)) {
                        simplest = candidate;
                        break;
                    }
                }
            }
        }
        return simplest;
    }

    private static List<String> simpler(String argument) {
        if (BUFFERS.contains(argument)) {
            return List.of("heap");
        }
        if (argument.matches("\\d{1,9}") && Integer.parseInt(argument) > 1) {
            return List.of("1", Integer.toString(Integer.parseInt(argument) / 2));
        }
        return List.of();
    }

    private static FuzzProgram replaced(FuzzProgram program, int operation, int argument, String word) {
        List<Operation> operations = new ArrayList<>(program.operations());
        List<String> arguments = new ArrayList<>(operations.get(operation).arguments());
        arguments.set(argument, word);
        operations.set(operation, operations.get(operation).with(arguments));
        return program.with(operations);
    }

    private boolean fails(FuzzProgram program) throws IOException, InterruptedException {
        triesLeft--;
        return failure.of(program);
    }
}
