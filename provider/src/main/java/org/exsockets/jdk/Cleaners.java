package org.exsockets.jdk;

import java.lang.ref.Cleaner;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The one cleaner of EXS. It is not the JDK's, since its actions may take locks of a connection. Its thread, {@code
 * exs-cleaner}, starts with the first registered object. If no thread can be started, the object is not watched, and
 * nothing else fails; the next registration tries again. Any thread.
 */
public class Cleaners {
    private static final Cleaners OWN = new Cleaners();

    /** Null: none yet. Written under the monitor. */
    private volatile @Nullable Cleaner cleaner;

    Cleaners() {}

    /**
     * As {@link Cleaner#register}.
     *
     * @param action runs once, when {@code object} is unreachable or {@code clean} is called; must not refer to it
     */
    public static Cleaner.Cleanable register(Object object, Runnable action) {
        return OWN.watch(object, action);
    }

    Cleaner.Cleanable watch(Object object, Runnable action) {
        try {
            return cleaner().register(object, action);
        } catch (OutOfMemoryError noThread) {
            return new Unwatched(new AtomicReference<>(action));
        }
    }

    private Cleaner cleaner() {
        Cleaner known = cleaner;
        if (known != null) {
            return known;
        }
        synchronized (this) {
            if (cleaner == null) {
                cleaner = SecurityManagers.present() ? SecurityManagers.privileged(this::make) : make();
            }
            return cleaner;
        }
    }

    /** Throws {@link OutOfMemoryError} if no thread can be started; replaced in tests. */
    Cleaner make() {
        return Cleaner.create(new ThreadFactory() {
            @Override
            public Thread newThread(Runnable task) {
                return Threads.daemon("exs-cleaner", task);
            }
        });
    }

    /** For an object that is not watched. */
    private record Unwatched(AtomicReference<Runnable> action) implements Cleaner.Cleanable {
        @Override
        public void clean() {
            Runnable once = action.getAndSet(null);
            if (once != null) {
                once.run();
            }
        }
    }
}
