package org.exsockets.config;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the summary at JVM exit goes: standard error, or a file to which one line is appended. Immutable.
 */
public final class StatsTarget {
    /** Standard error of the process. */
    public static final StatsTarget STDERR = new StatsTarget(null);

    private final Path file;

    private StatsTarget(Path file) {
        this.file = file;
    }

    /** {@return the target that appends to {@code file}} */
    public static StatsTarget file(Path file) {
        return new StatsTarget(Objects.requireNonNull(file));
    }

    /** {@return the file to append to; empty for standard error} */
    public Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    @Override
    public String toString() {
        return file == null ? "stderr" : file.toString();
    }
}
