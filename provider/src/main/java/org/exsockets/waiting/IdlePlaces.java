package org.exsockets.waiting;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Places in which threads have slept, kept from one connection to the next. Thread-safe. */
final class IdlePlaces<T> {
    private static final int MAX = 16;

    @GuardedBy("this")
    private final ArrayDeque<T> idle = new ArrayDeque<>(MAX);

    /** {@return one for the caller alone, or null} */
    synchronized @Nullable T take() {
        return idle.poll();
    }

    /** {@return false if there are enough: the caller gives it back to the system} */
    synchronized boolean keep(T place) {
        if (idle.size() == MAX) {
            return false;
        }
        idle.push(place);
        return true;
    }
}
