package org.exsockets.compat.programs.driver;

import java.util.Arrays;
import java.util.Objects;

/** What a client checks. A failure ends the client. Stateless. */
public final class Expect {
    private Expect() {}

    /** Checks that two values are equal; arrays of bytes by what is in them. */
    public static void equal(Object expected, Object actual, String what) {
        if (!Objects.deepEquals(expected, actual)) {
            throw new AssertionError(what + ": expected=" + told(expected) + ", actual=" + told(actual));
        }
    }

    /** Checks that something holds. */
    public static void that(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static String told(Object value) {
        if (value instanceof byte[] bytes) {
            return bytes.length + " bytes " + Content.hash(bytes);
        }
        return value instanceof Object[] array ? Arrays.deepToString(array) : String.valueOf(value);
    }
}
