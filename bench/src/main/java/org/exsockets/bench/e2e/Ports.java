package org.exsockets.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ports that closed TCP connections hold for a minute (TIME_WAIT). A row that connects and closes leaves thousands,
 * and the next would find none free. EXS would run out before TCP, as it binds a port per connection.
 */
final class Ports {
    private static final Path SOCKETS = Path.of("/proc/net/sockstat");
    private static final Pattern HELD = Pattern.compile("TCP:.* tw (\\d+)");
    private static final long MOST_HELD = 8000;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long LOOK_MS = 500;

    private Ports() {}

    /** Waits until most ports are free again. */
    static void awaitFree() throws IOException {
        long startNs = System.nanoTime();
        boolean told = false;
        while (held() > MOST_HELD && System.nanoTime() - startNs < LIMIT_NS) {
            if (!told) {
                System.err.println("waiting for the ports of closed TCP connections");
                told = true;
            }
            try {
                Thread.sleep(LOOK_MS);
            } catch (InterruptedException interrupted) {
                throw new IOException("interrupted while waiting for ports", interrupted);
            }
        }
    }

    private static long held() throws IOException {
        if (!Files.exists(SOCKETS)) {
            return 0;
        }
        Matcher matcher = HELD.matcher(Files.readString(SOCKETS));
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
