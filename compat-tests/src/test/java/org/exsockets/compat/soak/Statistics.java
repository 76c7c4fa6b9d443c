package org.exsockets.compat.soak;

import java.io.PrintStream;
import java.util.List;
import java.util.regex.Pattern;
import org.exsockets.compat.harness.Transport;

/** What the processes have printed: what the agent counted in those that ended in order, and nothing unexpected. Stateless. */
final class Statistics {
    private static final String COUNTED = "{\"connections\"";

    /** Told once in a process that is without something. */
    private static final Pattern EXPECTED = Pattern.compile("exs: warn.*");

    private Statistics() {}

    static void judge(List<Node> nodes, PrintStream out, List<String> wrong) {
        for (Node node : nodes) {
            String last = node.lastWords();
            last.lines().filter(line -> line.startsWith(COUNTED)).forEach(line -> {
                out.println("soak: " + node + ": " + line);
                if (Transport.connections(line, "soft") == 0) {
                    wrong.add(node + ": no connection went over EXS: " + line);
                }
            });
            if (node.hasAgent() && !last.contains(COUNTED)) {
                wrong.add(node + ": did not say what it counted");
            }
            (node.printedBefore() + last)
                    .lines()
                    .filter(line -> !line.startsWith(COUNTED))
                    .forEach(line -> {
                        out.println("soak: " + node + ": " + line);
                        if (!EXPECTED.matcher(line).matches()) {
                            wrong.add(node + " has printed: " + line);
                        }
                    });
        }
    }
}
