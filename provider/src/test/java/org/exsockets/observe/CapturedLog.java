package org.exsockets.observe;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.exsockets.config.LogLevel;

/** What is logged, at every level, until it is closed. */
public final class CapturedLog implements AutoCloseable {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final LineSink former = Log.replace(LogLevel.DEBUG, new LineSink(out));

    @Override
    public void close() {
        Log.replace(LogLevel.WARN, former);
    }

    @Override
    public String toString() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
