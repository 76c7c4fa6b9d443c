package org.exsockets.compat.fuzz;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Gives names to the ports of one run of a program: p1 is the one seen first. Used by one thread. */
final class Symbols {
    private static final Pattern PORT = Pattern.compile("(:|port=)(\\d{4,5})(?!\\d)");

    private final Map<String, String> names = new LinkedHashMap<>();

    /** Returns the text with names for ports. */
    String named(String observed) {
        return PORT.matcher(observed)
                .replaceAll(port ->
                        port.group(1) + names.computeIfAbsent(port.group(2), number -> "p" + (names.size() + 1)));
    }
}
