package org.exsockets.jdk;

import java.lang.ref.Cleaner;

/**
 * The one cleaner of EXS, not the JDK's: what it runs may take locks of a connection. Any thread; its own,
 * {@code exs-cleaner}, starts with the first object that is registered.
 */
public final class Cleaners {
    private Cleaners() {}

    private static final class Lazy {
        static final Cleaner CLEANER = Cleaner.create(task -> Threads.daemon("exs-cleaner", task));
    }

    /**
     * As {@link Cleaner#register}.
     *
     * @param action runs once, when {@code object} is unreachable, or when called; must not refer to it
     */
    public static Cleaner.Cleanable register(Object object, Runnable action) {
        return Lazy.CLEANER.register(object, action);
    }
}
