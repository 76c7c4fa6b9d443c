package org.exsockets.compat.fuzz;

import java.util.List;

/**
 * One operation of a program: one line, {@code number process object verb arguments...}, such as {@code 7 B s2 read direct
 * 100}. Immutable.
 *
 * @param number names the operation; does not change when others are taken away
 * @param process {@code A} or {@code B}
 * @param object what it is done to, {@code -} for none
 * @param arguments words without spaces
 */
record Operation(int number, String process, String object, String verb, List<String> arguments) {
    Operation {
        arguments = List.copyOf(arguments);
    }

    /** Reads a line. */
    static Operation parse(String line) {
        String[] words = line.trim().split("\\s+");
        if (words.length < 4 || !words[1].equals("A") && !words[1].equals("B")) {
            throw new IllegalArgumentException("operation: not NUMBER A|B OBJECT VERB...: line=" + line);
        }
        return new Operation(
                Integer.parseInt(words[0]),
                words[1],
                words[2],
                words[3],
                List.of(words).subList(4, words.length));
    }

    String argument(int index) {
        return index < arguments.size() ? arguments.get(index) : "";
    }

    /** Returns what a verb asks for, whether of an object itself or of its adaptor, as {@code socket:read} does. */
    static String withoutAdaptor(String verb) {
        return verb.substring(verb.indexOf(':') + 1);
    }

    Operation with(List<String> others) {
        return new Operation(number, process, object, verb, others);
    }

    @Override
    public String toString() {
        String line = number + " " + process + " " + object + " " + verb;
        return arguments.isEmpty() ? line : line + " " + String.join(" ", arguments);
    }
}
