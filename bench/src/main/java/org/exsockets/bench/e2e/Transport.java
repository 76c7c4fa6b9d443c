package org.exsockets.bench.e2e;

import java.nio.file.Path;
import java.util.List;

/**
 * One side of the comparison: how its JVMs are started.
 *
 * @param label heads its columns
 * @param agentJar the EXS agent, or null for plain TCP
 * @param jvmArgs further arguments of its JVMs
 */
record Transport(String label, Path agentJar, List<String> jvmArgs) {
    boolean isExs() {
        return agentJar != null;
    }
}
