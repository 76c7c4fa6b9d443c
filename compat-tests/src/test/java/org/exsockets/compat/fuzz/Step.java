package org.exsockets.compat.fuzz;

import java.util.Arrays;
import org.exsockets.compat.harness.PeerProgram;

/**
 * Executes one operation in a process of a {@link World}, and tells what it observed: the value, or {@code !} with class and
 * message of what was thrown. Arguments: number, object, verb, and those of the operation. Runs on any thread.
 */
public final class Step implements PeerProgram {
    @Override
    public String run(String[] words) {
        String[] arguments = Arrays.copyOfRange(words, 3, words.length);
        String observed;
        if (words[1].equals("-")) {
            observed = withoutObject(words[2], arguments);
        } else {
            observed = Threads.run(() -> Calls.watched(
                    Integer.parseInt(words[0]), words[1], words[2], () -> Ends.call(words[1], words[2], arguments)));
        }
        return observed.replace('\n', ' ').replace('\r', ' ');
    }

    private static String withoutObject(String verb, String[] arguments) {
        return switch (verb) {
            case "interrupt" -> Calls.interrupt(Integer.parseInt(arguments[0]));
            case "bounded" -> Calls.bounded();
            case "virtual" -> Threads.useVirtualOnes(true);
            case "clear" -> {
                Threads.useVirtualOnes(false);
                yield Ends.closeAll();
            }
            default -> throw new IllegalArgumentException("operation: no such verb: " + verb);
        };
    }
}
