package org.exsockets.compat.seams.programs.states;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Prints the tables. Arguments: how many times longer than necessary everything waits, and names of rows, none for all.
 */
public final class States {
    private States() {}

    public static void main(String[] arguments) throws Exception {
        Situation.stretch(Integer.parseInt(arguments[0]));
        Set<String> names = Arrays.stream(arguments).skip(1).collect(Collectors.toSet());
        Predicate<String> wanted = names.isEmpty() ? row -> true : names::contains;
        List<Table<?>> tables = List.of(
                ChannelStates.table(),
                SocketStates.table(),
                ListenerStates.ofChannels(),
                ListenerStates.ofSockets(),
                AsynchronousStates.table());
        for (Table<?> table : tables) {
            table.rows(wanted).forEach(System.out::println);
        }
    }
}
