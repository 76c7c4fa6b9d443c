package org.exsockets.bench.e2e;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** What grew in the two processes, together, while many connections were made and closed. */
final class GrowthTable {
    static final List<String> NAMES =
            List.of("descriptors", "mappings", "threads", "heapBytes", "mappedBytes", "anonymousBytes");

    private GrowthTable() {}

    /** {@return the growth of both processes; NaN in rows without that figure} */
    static double growth(Sample sample, String name) {
        return sample.get(name + "Growth") + sample.get("server." + name + "Growth");
    }

    static void print(PrintStream out, List<Transport> transports, List<RowResult> results) {
        for (RowResult result : results) {
            if (result.row().runsOnce()) {
                out.printf("%n%-34s", result.row().name() + ", grown");
                transports.forEach(transport -> out.printf(" %12s", transport.label()));
                out.println();
                for (String name : NAMES) {
                    out.printf("%-34s", name);
                    transports.forEach(transport -> out.printf(
                            Locale.ROOT, " %12.0f", result.median(transport, sample -> growth(sample, name))));
                    out.println();
                }
            }
        }
    }
}
