package org.exsockets.agent.selftest;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/** Writes maps, collections, texts, numbers and truth values as JSON. */
final class Json {
    private static final int FIRST_PLAIN = ' ';

    private Json() {}

    static String of(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder into) {
        if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                into.append(separator);
                quote(entry.getKey().toString(), into);
                into.append(':');
                write(entry.getValue(), into);
                separator = ",";
            }
            into.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Collection<?> all) {
            String separator = "[";
            for (Object each : all) {
                into.append(separator);
                write(each, into);
                separator = ",";
            }
            into.append(all.isEmpty() ? "[]" : "]");
        } else if (value instanceof Double number) {
            into.append(Double.isFinite(number) ? String.format(Locale.ROOT, "%.4g", number) : "null");
        } else if (value instanceof Number || value instanceof Boolean) {
            into.append(value);
        } else {
            quote(String.valueOf(value), into);
        }
    }

    private static void quote(String text, StringBuilder into) {
        into.append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '"' || letter == '\\') {
                into.append('\\').append(letter);
            } else if (letter < FIRST_PLAIN) {
                into.append(String.format(Locale.ROOT, "\\u%04x", (int) letter));
            } else {
                into.append(letter);
            }
        }
        into.append('"');
    }
}
