package org.exsockets.compat.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of socket operations in two processes, as text: one {@link Operation} a line, {@code #} begins a comment.
 * Every list of operations is a program: one whose object does not exist does nothing, and says so. Immutable.
 *
 * @param comments without their {@code #}
 */
record FuzzProgram(List<String> comments, List<Operation> operations) {
    FuzzProgram {
        comments = List.copyOf(comments);
        operations = List.copyOf(operations);
    }

    static FuzzProgram parse(List<String> lines) {
        List<String> comments = new ArrayList<>();
        List<Operation> operations = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("#")) {
                comments.add(line.substring(1).trim());
            } else if (!line.isBlank()) {
                operations.add(Operation.parse(line));
            }
        }
        return new FuzzProgram(comments, operations);
    }

    static FuzzProgram read(Path file) throws IOException {
        return parse(Files.readAllLines(file, StandardCharsets.UTF_8));
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, toString(), StandardCharsets.UTF_8);
    }

    FuzzProgram with(List<Operation> others) {
        return new FuzzProgram(comments, others);
    }

    FuzzProgram saying(List<String> others) {
        return new FuzzProgram(others, operations);
    }

    /** Returns the process in which an object is, or null if no operation makes one of that name. */
    String processOf(String object) {
        for (Operation operation : operations) {
            boolean opened =
                    operation.object().equals(object) && operation.verb().equals("open");
            boolean accepted =
                    operation.verb().endsWith("accept") && operation.argument(0).equals(object);
            if (opened || accepted) {
                return operation.process();
            }
        }
        return null;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        comments.forEach(comment -> text.append("# ").append(comment).append('\n'));
        operations.forEach(operation -> text.append(operation).append('\n'));
        return text.toString();
    }
}
