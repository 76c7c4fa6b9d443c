package org.exsockets.agent.selftest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One line on standard error that says what is being done, if that is a terminal. Used by one thread. */
final class Progress {
    private static final String CLEAR = "\r\033[K";

    private final boolean terminal = isTerminal();

    /** Later JDKs have a console even without one. */
    private static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    void show(String what) {
        if (terminal) {
            System.err.print(CLEAR + what);
            System.err.flush();
        }
    }

    void clear() {
        show("");
    }
}
