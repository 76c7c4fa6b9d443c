package org.exsockets.observe;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.exsockets.config.LogLevel;
import org.exsockets.config.Settings;
import org.jspecify.annotations.Nullable;

/**
 * The log: lines such as {@code exs: warn: message} on standard error or in the file that {@code exs.log} names.
 *
 * <p>Uses no logging framework, since those open sockets. Any thread may call it, it never throws, and until it is
 * configured it writes warnings and errors to standard error. Call {@link #debugEnabled} before building a
 * costly message. A thread that must go on passes what it has caught as the cause, and builds no message of it: there
 * may be no memory for that.
 */
public final class Log {
    /** Bounds the memory of {@link #warnOnce} if keys should depend on input. */
    private static final int MAX_KEYS = 1_000;

    private static final Set<String> WARNED_KEYS = ConcurrentHashMap.newKeySet();

    private static volatile LogLevel level = LogLevel.WARN;
    private static volatile LineSink sink = LineSink.stderr();

    private Log() {}

    /** Sets level and target for the rest of the JVM's life. An unusable file is reported and standard error used. */
    public static void configure(Settings settings) {
        level = settings.log().level();
        if (!settings.rules().isEmpty()) {
            settings.rules().reportProblemsTo(Log::warn);
        }
        if (settings.log().file().isPresent()) {
            redirectTo(settings.log().file().get());
        }
    }

    private static void redirectTo(Path file) {
        try {
            sink = LineSink.appendingTo(file);
        } catch (IOException | SecurityException e) {
            warn("exs.log: cannot write to " + file + ", logging to standard error", e);
        }
    }

    public static void error(String message) {
        write(LogLevel.ERROR, message, null);
    }

    /** As {@link #error(String)}, with the cause in one line, and its stack trace where debug is enabled. */
    public static void error(String message, Throwable cause) {
        write(LogLevel.ERROR, message, cause);
    }

    public static void warn(String message) {
        write(LogLevel.WARN, message, null);
    }

    /** As {@link #warn(String)}, with the cause in one line, and its stack trace where debug is enabled. */
    public static void warn(String message, Throwable cause) {
        write(LogLevel.WARN, message, cause);
    }

    /** Warns the first time it is called with {@code key} in this JVM. {@return whether this was the first time} */
    @CanIgnoreReturnValue
    public static boolean warnOnce(String key, String message) {
        boolean first = !WARNED_KEYS.contains(key) && WARNED_KEYS.size() < MAX_KEYS && WARNED_KEYS.add(key);
        if (first) {
            warn(message);
        }
        return first;
    }

    /** As {@link #warnOnce}, for what a peer can cause without end: further ones are told at debug. */
    public static void warnFirst(String key, String message) {
        if (!warnOnce(key, message + " (further ones at debug)")) {
            debug(message);
        }
    }

    public static void info(String message) {
        write(LogLevel.INFO, message, null);
    }

    public static boolean debugEnabled() {
        return enabled(LogLevel.DEBUG);
    }

    public static void debug(String message) {
        write(LogLevel.DEBUG, message, null);
    }

    /** As {@link #debug(String)}, with the cause in one line and its stack trace. */
    public static void debug(String message, Throwable cause) {
        write(LogLevel.DEBUG, message, cause);
    }

    private static boolean enabled(LogLevel wanted) {
        return wanted.compareTo(level) <= 0;
    }

    private static void write(LogLevel wanted, String message, @Nullable Throwable cause) {
        if (!enabled(wanted)) {
            return;
        }
        try {
            StringBuilder line = new StringBuilder("exs: ")
                    .append(wanted.name().toLowerCase(Locale.ROOT))
                    .append(": ")
                    .append(message);
            if (cause != null) {
                line.append(": ").append(cause);
            }
            escapeControls(line);
            if (cause != null && debugEnabled()) {
                appendFrames(line, cause);
            }
            sink.writeLine(line.toString());
        } catch (IOException | RuntimeException | Error e) {
            // A full disk or heap, a closed standard error, a cause that cannot be printed: there is nowhere to report
            // it.
            return;
        }
    }

    /** The message may come from a peer. It must not look like another line or control a terminal. */
    private static void escapeControls(StringBuilder line) {
        for (int i = line.length() - 1; i >= 0; i--) {
            char c = line.charAt(i);
            if (Character.isISOControl(c)) {
                line.replace(i, i + 1, "\\x" + Character.forDigit(c >> 4, 16) + Character.forDigit(c & 15, 16));
            }
        }
    }

    private static void appendFrames(StringBuilder line, Throwable cause) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            line.append("\n    at ").append(frame);
        }
    }

    /** Replaces level and target; returns the former target. For tests. */
    static LineSink replace(LogLevel newLevel, LineSink newSink) {
        LineSink former = sink;
        level = newLevel;
        sink = newSink;
        return former;
    }
}
