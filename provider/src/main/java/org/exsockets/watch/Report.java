package org.exsockets.watch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.exsockets.observe.Description;

/**
 * What a process answers: lines of UTF-8, each with a kind and its values, as {@code kind TAB key=value TAB key=value}.
 * A zero byte ends the report. Used by one thread.
 */
final class Report implements Description {
    /** Of the process. */
    static final String PROCESS = "process";

    static final String LISTENER = "listener";
    static final String CONNECTION = "connection";

    /** The report had no room for everything. */
    static final String CUT = "cut";

    /** Kept free for {@link #CUT}. */
    private static final int LAST_LINE_BYTES = 16;

    private final ByteBuffer into;
    private final StringBuilder line = new StringBuilder();
    private boolean full;

    /** @param into gets the report, from its position on; zeroed */
    Report(ByteBuffer into) {
        this.into = into;
    }

    void begin(String kind) {
        line.setLength(0);
        line.append(kind);
    }

    @Override
    public void put(String key, String value) {
        line.append('\t').append(key).append('=').append(value.replaceAll("\\p{Cc}", " "));
    }

    /** Ends the line. {@return whether there is room for more} */
    boolean end() {
        if (full) {
            return false;
        }
        byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length + LAST_LINE_BYTES > into.remaining()) {
            full = true;
            bytes = (CUT + "\n").getBytes(StandardCharsets.UTF_8);
        }
        into.put(bytes);
        return !full;
    }

    /** A line of a report that has been read. */
    record Line(String kind, Map<String, String> values) {
        /** {@return the value, empty if there is none} */
        String get(String key) {
            return values.getOrDefault(key, "");
        }

        long number(String key) {
            try {
                return Long.parseLong(get(key));
            } catch (NumberFormatException none) {
                return 0;
            }
        }
    }

    /** {@return the lines of a report of another process, who may have written anything} */
    static List<Line> read(ByteBuffer from) {
        int length = 0;
        while (length < from.limit() && from.get(length) != 0) {
            length++;
        }
        byte[] bytes = new byte[length];
        from.get(0, bytes);
        // Nothing that another process has written controls a terminal.
        String report = new String(bytes, StandardCharsets.UTF_8).replaceAll("[\\p{Cc}&&[^\t\n]]", "?");
        List<Line> lines = new ArrayList<>();
        for (String text : report.split("\n")) {
            String[] parts = text.split("\t");
            Map<String, String> values = new LinkedHashMap<>();
            for (int i = 1; i < parts.length; i++) {
                int equals = parts[i].indexOf('=');
                if (equals > 0) {
                    values.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
                }
            }
            lines.add(new Line(parts[0], values));
        }
        return lines;
    }
}
