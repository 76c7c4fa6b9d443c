package org.exsockets.net;

import java.io.IOException;

/** Lets the JDK create socket implementations as if nothing were installed. */
public final class Bypass {
    private static final ThreadLocal<Boolean> ACTIVE = new ThreadLocal<>();

    private Bypass() {}

    /** A call that may fail as sockets do. */
    @FunctionalInterface
    interface Call<T> {
        T call() throws IOException;
    }

    /** {@return whether the current thread is inside {@link #call}} */
    public static boolean active() {
        return ACTIVE.get() != null;
    }

    static <T> T call(Call<T> call) throws IOException {
        if (active()) {
            return call.call();
        }
        ACTIVE.set(Boolean.TRUE);
        try {
            return call.call();
        } finally {
            ACTIVE.remove();
        }
    }
}
