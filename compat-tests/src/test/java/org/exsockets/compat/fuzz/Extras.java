package org.exsockets.compat.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What is put into a program that is made already: virtual threads, IPv6, shared ports, futures that are cancelled, and memory
 * that is not there. It has a sequence of random numbers of its own. What TCP does not decide is not asked for:
 *
 * <ul>
 *   <li>a second listener of a port is closed at once: the kernel chooses which of several gets a connection;
 *   <li>the cancel of a large write does not close: behind what nobody has read, TCP's end of the stream is still to be sent
 *       when the peer writes, so that the peer is told of a reset instead of a broken pipe;
 *   <li>a large write in a virtual thread is repeated until all is written: the JDK's channel returns what has gone as soon
 *       as it would have to wait, which depends on how much a transport holds;
 *   <li>the channel of a read that was cancelled without closing it is closed next: the JDK's read goes on, and what comes
 *       then is gone, or not (the Javadoc of AsynchronousChannel says that the channel's state is not specified).
 *   <li>of several buffers only the first is one whose memory is not there: behind others, TCP fails or tells of those, as its
 *       segments have it.
 * </ul>
 *
 * Used by one thread, for one program.
 */
final class Extras {
    private final Random random;
    private final List<Operation> operations;
    private int number;

    /** @param operations is changed */
    Extras(long seed, List<Operation> operations) {
        this.random = new Random(~seed);
        this.operations = operations;
        this.number = operations.stream().mapToInt(Operation::number).max().orElse(0);
    }

    void add() {
        if (chance(30)) {
            cancelFutures();
        }
        if (chance(15)) {
            sharePorts();
        }
        if (chance(20)) {
            useIpv6();
        }
        for (String process : List.of("A", "B")) {
            if (chance(20)) {
                insert(0, process, "-", "virtual");
                writeAll(process);
            }
        }
        if (chance(15)) {
            failMemory();
        }
    }

    /** Buffers of some transfers are mapped to files that are shorter now. Kinds but {@code heap} are channels' only. */
    private void failMemory() {
        for (int i = 0; i < operations.size(); i++) {
            Operation each = operations.get(i);
            int at = each.verb().equals("timedread") ? 1 : 0;
            boolean moves = each.verb().matches("read|write|timedread|futureread");
            if (moves && each.argument(at).matches("direct|slice|array|middle") && chance(30)) {
                List<String> arguments = new ArrayList<>(each.arguments());
                if (!arguments.get(at + 1).equals(Integer.toString(Moves.FLOOD_BYTES))) {
                    arguments.set(at, Margined.GONE);
                    operations.set(i, each.with(arguments));
                }
            }
        }
    }

    /** Large writes of channels go on until all is written. */
    private void writeAll(String process) {
        operations.replaceAll(each -> {
            boolean large = each.verb().equals("write")
                    && each.process().equals(process)
                    && each.argument(1).equals(Integer.toString(Moves.FLOOD_BYTES));
            return large
                    ? new Operation(
                            each.number(),
                            process,
                            each.object(),
                            "put",
                            List.of(each.argument(1), each.argument(0), each.argument(1)))
                    : each;
        });
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private void insert(int at, String process, String object, String verb, String... arguments) {
        operations.add(at, new Operation(++number, process, object, verb, Arrays.asList(arguments)));
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String kindOf(String object) {
        return operations.stream()
                .filter(each -> each.object().equals(object) && each.verb().equals("open"))
                .map(each -> each.argument(0))
                .findFirst()
                .orElse("");
    }

    /** Operations of asynchronous channels become those with futures, some of which are cancelled later. */
    private void cancelFutures() {
        for (Operation operation : List.copyOf(operations)) {
            String direction = directionOf(operation);
            if (direction == null) {
                continue;
            }
            int at = operations.indexOf(operation);
            String verb = operation.verb();
            operations.set(
                    at,
                    new Operation(
                            operation.number(),
                            operation.process(),
                            operation.object(),
                            verb.startsWith("future") ? verb : "future" + verb,
                            operation.arguments()));
            if (chance(60)) {
                int later = at + 1 + random.nextInt(Math.min(4, operations.size() - at));
                String close = direction.equals("write") ? "false" : pick("true", "false");
                insert(later, operation.process(), operation.object(), "cancel" + direction, close);
                if (direction.equals("read") && close.equals("false")) {
                    insert(later + 1, operation.process(), operation.object(), "close");
                }
            }
        }
    }

    /** Returns what an operation that a future can stand for does, or null. */
    private String directionOf(Operation operation) {
        return switch (operation.verb()) {
            case "futureread" -> "read";
            case "read" -> isAsynchronous(operation) && operation.arguments().size() == 2 ? "read" : null;
            case "put" -> isAsynchronous(operation) ? "write" : null;
            case "accept" -> isAsynchronous(operation) ? "accept" : null;
            default -> null;
        };
    }

    private boolean isAsynchronous(Operation operation) {
        String object = operation.object();
        if (kindOf(object).startsWith("aio")) {
            return true;
        }
        return operations.stream()
                .anyMatch(each -> each.verb().endsWith("accept")
                        && each.argument(0).equals(object)
                        && kindOf(each.object()).equals("aiol"));
    }

    /** Listeners allow others at their port, or not, and others ask for it. */
    private void sharePorts() {
        List<Operation> binds = new ArrayList<>(operations);
        binds.removeIf(
                each -> !each.verb().equals("bind") || !kindOf(each.object()).endsWith("l"));
        for (Operation bind : binds) {
            boolean allowed = chance(70);
            if (allowed) {
                insert(operations.indexOf(bind), bind.process(), bind.object(), "set", "SO_REUSEPORT", "true");
            }
            int at = operations.indexOf(bind) + 1;
            String other = "o" + bind.number();
            insert(at, bind.process(), bind.object(), "get", "SO_REUSEPORT");
            insert(at + 1, bind.process(), other, "open", pick("netl", "niol", "aiol"));
            if (chance(60)) {
                insert(at + 2, bind.process(), other, "set", "SO_REUSEPORT", "true");
                at++;
            }
            insert(at + 2, bind.process(), other, "bind", bind.object());
            insert(at + 3, bind.process(), other, "state");
            insert(at + 4, bind.process(), other, "close");
        }
    }

    /** Addresses of this machine become those of IPv6. */
    private void useIpv6() {
        boolean wild = chance(30);
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            boolean address =
                    operation.verb().endsWith("bind") || operation.verb().endsWith("connect");
            if (address && operation.argument(0).matches("any|wild|nowhere")) {
                List<String> arguments = new ArrayList<>(operation.arguments());
                arguments.set(0, wild && arguments.get(0).equals("any") ? "wild6" : arguments.get(0) + "6");
                operations.set(i, operation.with(arguments));
            }
        }
    }
}
