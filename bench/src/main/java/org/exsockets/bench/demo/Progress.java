package org.exsockets.bench.demo;

import java.io.PrintStream;
import java.util.Locale;

/** Progress lines with the time since the start. Used by the demonstration's main thread only. */
final class Progress {
    private final PrintStream out;
    private final long startedNs = System.nanoTime();

    Progress(PrintStream out) {
        this.out = out;
    }

    void line(String text) {
        out.println(String.format(Locale.ROOT, "[%5.1f s] ", elapsedSeconds()) + text);
    }

    double elapsedSeconds() {
        return (System.nanoTime() - startedNs) / 1e9;
    }
}
