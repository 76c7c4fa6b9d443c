package org.exsockets.verbs.soft.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.StringTokenizer;
import org.exsockets.jdk.SmallFiles;
import org.exsockets.observe.Log;

/** The numbers by which the user namespace of this process knows users, user_namespaces(7). */
public final class UserNamespace {
    /** No user has this number, and no user without one is known by another one's. */
    public static final int NONE = -1;

    private static final Path MAP = Path.of("/proc/self/uid_map");
    private static final Path OVERFLOW = Path.of("/proc/sys/kernel/overflowuid");
    private static final String ALL = "4294967295";
    private static final int USUAL_OVERFLOW = 65_534;

    private UserNamespace() {}

    /**
     * {@return the number that stands for all users who have none here, beside the user who has it, if there is one;
     * {@link #NONE} if every user has a number of his own}
     */
    public static int overflowUser() {
        try {
            if (mapsEverybody(SmallFiles.read(MAP))) {
                return NONE;
            }
            return Integer.parseUnsignedInt(SmallFiles.read(OVERFLOW).trim());
        } catch (IOException | RuntimeException e) {
            Log.debug("user namespace: taken for one in which not every user has a number: " + e);
            return USUAL_OVERFLOW;
        }
    }

    /** {@return whether this is the map of the first user namespace: all numbers, each to itself} */
    static boolean mapsEverybody(String map) {
        StringTokenizer words = new StringTokenizer(map);
        return words.countTokens() == 3
                && words.nextToken().equals("0")
                && words.nextToken().equals("0")
                && words.nextToken().equals(ALL);
    }
}
