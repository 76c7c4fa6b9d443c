package org.exsockets.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the summary at JVM exit goes.
 *
 * @param file one line is appended to it; empty: standard error
 */
public record StatsTarget(Optional<Path> file) {
    public static final StatsTarget STDERR = new StatsTarget(Optional.empty());

    @Override
    public String toString() {
        return file.isEmpty() ? "stderr" : file.get().toString();
    }
}
