package org.exsockets.config;

import java.util.Collection;
import java.util.Locale;

/** Finds what a user probably meant by a misspelt name. */
final class NearestName {
    private NearestName() {}

    /** {@return the valid name nearest to {@code given}; null if none shares at least half of its letters} */
    static String of(String given, Collection<String> valid) {
        String nearest = null;
        int nearestDistance = Integer.MAX_VALUE;
        for (String candidate : valid) {
            int distance = editDistance(bare(given), bare(candidate));
            if (distance < nearestDistance && 2 * distance <= bare(candidate).length()) {
                nearest = candidate;
                nearestDistance = distance;
            }
        }
        return nearest;
    }

    /** Removes the name space: all candidates of a source share it, so it would make all of them look near. */
    private static String bare(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("exs.") || lower.startsWith("exs_") ? lower.substring(4) : lower;
    }

    private static int editDistance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
