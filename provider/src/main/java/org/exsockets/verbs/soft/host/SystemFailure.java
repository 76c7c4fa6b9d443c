package org.exsockets.verbs.soft.host;

import java.io.IOException;

/** A system call that has failed. The message is the system's, in its language, as in the JDK's own exceptions. */
public final class SystemFailure extends IOException {
    private static final long serialVersionUID = 1L;

    // Of Linux, the same on every supported architecture.
    public static final int TOO_LONG = 7;
    public static final int AGAIN = 11;
    public static final int NOT_ALLOWED = 13;
    public static final int NO_MEMORY = 12;
    static final int TOO_MANY_IN_SYSTEM = 23;
    static final int TOO_MANY = 24;
    static final int TOO_LARGE = 27;
    static final int NO_SPACE = 28;
    public static final int PEER_CLOSED = 32;
    public static final int ADDRESS_IN_USE = 98;
    public static final int TOO_MANY_PASSED = 109;
    public static final int REFUSED = 111;

    private final int error;

    private SystemFailure(int error, String message) {
        super(message);
        this.error = error;
    }

    /** @param result negative: −errno */
    public static SystemFailure of(long result) {
        return new SystemFailure((int) -result, NativeMemory.message((int) -result));
    }

    /** @param result of a native method: ≥ 0, which is returned, or −errno */
    public static long check(long result) throws SystemFailure {
        if (result < 0) {
            throw of(result);
        }
        return result;
    }

    public int error() {
        return error;
    }

    /** {@return whether this process or the system lacks descriptors or mappings; a later attempt may succeed} */
    public boolean isWantOfResources() {
        return isWantOfDescriptors() || error == NO_MEMORY;
    }

    /** {@return whether this process or the system lacks descriptors} Then TCP may accept nothing, either. */
    public boolean isWantOfDescriptors() {
        return error == TOO_MANY || error == TOO_MANY_IN_SYSTEM;
    }

    /** {@return whether a later attempt may succeed; true also at the limit of the size of files, or of memory} */
    public boolean mayPass() {
        return isWantOfResources() || error == TOO_LARGE || error == NO_SPACE;
    }
}
