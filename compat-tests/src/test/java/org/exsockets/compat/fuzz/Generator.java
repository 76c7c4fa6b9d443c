package org.exsockets.compat.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Makes programs: connections first, as a rule, then operations on them, most of which make sense. The same seed makes the
 * same program on every JDK. Used by one thread, for one program.
 */
final class Generator {
    private static final int MAX_CONNECTIONS = 2;
    private static final int FEWEST_MOVES = 8;
    private static final int MORE_MOVES = 30;

    /** Closes, and the selections that must follow them: see {@link Moves}. */
    private static final Set<String> STAYING = Set.of("close", "select", "wakeup");

    private final long seed;
    private final Random random;
    private final List<Operation> operations = new ArrayList<>();
    private final List<Known> objects = new ArrayList<>();

    private Generator(long seed) {
        this.seed = seed;
        random = new Random(seed);
    }

    static FuzzProgram program(long seed) {
        return new Generator(seed).program("seed " + seed);
    }

    private FuzzProgram program(String comment) {
        int connections = 1 + random.nextInt(MAX_CONNECTIONS);
        Known listener = null;
        for (int i = 0; i < connections; i++) {
            listener = listener == null || chance(50) ? listener() : listener;
            connection(listener);
        }
        Moves moves = new Moves(this);
        int end = operations.size() + FEWEST_MOVES + random.nextInt(MORE_MOVES);
        while (operations.size() < end) {
            moves.add();
        }
        if (chance(15)) {
            disturb();
        }
        new Extras(seed, operations).add();
        return new FuzzProgram(List.of(comment), operations);
    }

    /** What comes too early, or not at all. */
    private void disturb() {
        for (int i = 0; i < 2; i++) {
            int at = random.nextInt(operations.size());
            if (STAYING.contains(Operation.withoutAdaptor(operations.get(at).verb()))) {
                continue;
            }
            if (chance(50)) {
                operations.remove(at);
            } else {
                operations.add(random.nextInt(operations.size()), operations.remove(at));
            }
        }
    }

    private Known listener() {
        Known listener = open(pick("netl", "netl", "niol", "niol", "aiol"), process());
        if (chance(10)) {
            add(listener, "set", pick("SO_RCVBUF", "SO_RCVBUF"), "65536");
        }
        add(listener, "bind", chance(85) ? "any" : "wild");
        return listener;
    }

    private void connection(Known listener) {
        Known client = open(pick("net", "net", "nio", "nio", "nio", "aio"), other(listener.process));
        boolean acceptFirst = chance(25) && !listener.nonBlocking;
        Known accepted = named(listener.kind.substring(0, 3), listener.process);
        if (client.selectable() && chance(25)) {
            add(client, "blocking", "false");
            client.nonBlocking = true;
        }
        if (acceptFirst) {
            accept(listener, accepted);
        }
        connect(client, listener);
        if (!acceptFirst) {
            accept(listener, accepted);
        }
        objects.add(accepted);
        client.peer = accepted;
        accepted.peer = client;
    }

    private void connect(Known client, Known listener) {
        if (client.kind.equals("net") && chance(30)) {
            add(client, "connect", listener.name, "5000");
        } else if (client.selectable() && !client.nonBlocking && chance(20)) {
            add(client, "socket:connect", listener.name);
        } else {
            add(client, "connect", listener.name);
        }
        if (client.nonBlocking) {
            add(client, "finish");
        }
    }

    private void accept(Known listener, Known accepted) {
        add(
                listener,
                listener.selectable() && !listener.nonBlocking && chance(30) ? "socket:accept" : "accept",
                accepted.name);
    }

    /** Returns a name for an object that something else opens. */
    Known named(String kind, String process) {
        long names = objects.size()
                + operations.stream()
                        .filter(operation -> operation.verb().endsWith("accept"))
                        .count();
        return new Known("s" + (names + 1), kind, process);
    }

    Known open(String kind, String process) {
        Known opened = named(kind, process);
        objects.add(opened);
        add(opened, "open", kind);
        return opened;
    }

    /** Appends an operation and returns its number. */
    int add(Known object, String verb, Object... arguments) {
        return add(object.process, object.name, verb, arguments);
    }

    int add(String process, String object, String verb, Object... arguments) {
        int number = operations.size() + 1;
        List<String> words = Arrays.stream(arguments).map(String::valueOf).toList();
        operations.add(new Operation(number, process, object, verb, words));
        return number;
    }

    List<Known> objects() {
        return objects;
    }

    Random random() {
        return random;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    @SafeVarargs
    final <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    String process() {
        return pick("A", "B");
    }

    /** Returns the other process, as a rule. */
    String other(String process) {
        return chance(80) ? process.equals("A") ? "B" : "A" : process;
    }
}
