package org.exsockets.bench.e2e;

import java.nio.file.Path;
import java.util.List;
import org.exsockets.bench.e2e.endpoint.Face;

/**
 * One side of the comparison: how its JVMs are started, or which tool takes their place.
 *
 * @param label heads its columns
 * @param agentJar the EXS agent, or null for plain TCP
 * @param jvmArgs further arguments of its JVMs
 * @param prefix comes before their launcher
 * @param tool runs instead of JVMs, and has no face; or null
 */
record Transport(String label, Path agentJar, List<String> jvmArgs, List<String> prefix, Tool tool) {
    Transport(String label, Path agentJar, List<String> jvmArgs) {
        this(label, agentJar, jvmArgs, List.of(), null);
    }

    static Transport of(Tool tool) {
        return new Transport(tool.label(), null, List.of(), List.of(), tool);
    }

    /**
     * {@return whether it runs in the row: a tool does so in the rows of one face only, or it would run twice; a row
     * may name its transports}
     */
    boolean takesPart(Row row) {
        if (row.spec().has("only")) {
            return List.of(row.spec().text("only").split(",")).contains(label);
        }
        return tool == null || row.spec().text("face").equals(Face.CHANNEL.toString());
    }

    boolean isExs() {
        return agentJar != null;
    }
}
