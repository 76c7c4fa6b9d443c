package org.exsockets.compat.fuzz;

import java.util.Collection;
import java.util.Set;

/**
 * What TCP does not decide because of the calls that are pending, or of how much it holds: it is refused when the program runs.
 * Stateless.
 */
final class Undecided {
    private static final Set<String> MODAL = Set.of(
            "read",
            "readone",
            "readn",
            "skip",
            "toend",
            "write",
            "writeone",
            "urgent",
            "put",
            "take",
            "accept",
            "connect",
            "finish");

    private static final Set<String> READS =
            Set.of("read", "readone", "readn", "skip", "toend", "take", "timedread", "futureread");

    /** What waits until those who read are done, or changes how long each of their steps waits. */
    private static final Set<String> BEHIND_READS = Set.of(
            "read",
            "readone",
            "readn",
            "skip",
            "toend",
            "take",
            "timedread",
            "futureread",
            "blocking",
            "bind",
            "connect",
            "finish",
            "timeout");

    /** What waits until those who write to a channel are done. */
    private static final Set<String> BEHIND_WRITES =
            Set.of("write", "writeone", "urgent", "put", "futureput", "blocking", "bind", "connect", "finish");

    /** Reads that take what they can get several times. */
    private static final Set<String> READS_IN_STEPS = Set.of("readn", "skip", "toend", "take");

    /** Reads of asynchronous channels that may end without bytes. */
    private static final Set<String> ENDING_READS = Set.of("timedread", "cancelread");

    private static final Set<String> WRITES = Set.of("write", "put", "futureput");

    private static final Set<String> ALL_WRITES = Set.of("write", "writeone", "urgent", "put", "futureput");

    private Undecided() {}

    /**
     * Returns why an operation cannot be asked for beside those that are pending; null if it can.
     *
     * @param full objects that would not take all of a write
     */
    static String refusal(Operation operation, Collection<Operation> pending, Set<String> full) {
        String verb = Operation.withoutAdaptor(operation.verb());
        if (isHeldBySome(operation)) {
            return "some transports hold so much";
        }
        // When it has room again, and for how much, depends on how much a transport holds.
        if (ALL_WRITES.contains(verb) && full.contains(operation.object())) {
            return "it is full";
        }
        // The JDK lets them go before it has written the new mode down, so that they may find the one or the other.
        if (MODAL.contains(verb) && any(pending, operation, Set.of("blocking"))) {
            return "its mode is changing";
        }
        // Who waits behind it may come between two steps, or may not.
        if (BEHIND_READS.contains(verb) && any(pending, operation, READS_IN_STEPS)) {
            return "a read of several steps is pending";
        }
        if (BEHIND_WRITES.contains(verb) && any(pending, operation, Set.of("put"))) {
            return "a write of several steps is pending";
        }
        // A read that ends without bytes leaves the JDK's poll for both as it is. When bytes come, that is used up for
        // nobody, and the write is never told of anything again; the same with a write that is cancelled, and a read.
        if (ENDING_READS.contains(verb) && any(pending, operation, WRITES)) {
            return "a write is pending";
        }
        if (verb.equals("cancelwrite") && any(pending, operation, READS)) {
            return "a read is pending";
        }
        return null;
    }

    /**
     * Tells whether a write is over or blocks if nobody reads, depending on how much a transport holds: TCP on loopback some
     * 4.1 MB, less if it gets them in small pieces.
     */
    static boolean isHeldBySome(Operation operation) {
        return switch (Operation.withoutAdaptor(operation.verb())) {
            case "write" -> isBetween(Margins.size(operation.arguments()));
            case "put", "futureput" -> {
                int size = Integer.parseInt(operation.argument(0));
                int piece = Integer.parseInt(operation.argument(2));
                yield isBetween(size) || size >= Moves.FLOOD_BYTES && piece < Moves.FLOOD_BYTES;
            }
            default -> false;
        };
    }

    private static boolean isBetween(long bytes) {
        return bytes > Bulk.EXACT_BYTES && bytes < Moves.FLOOD_BYTES;
    }

    private static boolean any(Collection<Operation> pending, Operation operation, Set<String> verbs) {
        return pending.stream()
                .anyMatch(each -> each.object().equals(operation.object())
                        && verbs.contains(Operation.withoutAdaptor(each.verb())));
    }
}
