package org.exsockets.compat.fuzz;

import java.util.ArrayList;
import java.util.List;

/**
 * What a program has observed, in order. Written by one thread.
 *
 * @param events in the order in which they were seen; of those seen at the same time, the older operation first
 */
record Trace(List<Event> events) {
    /** The number of a step behind the last operation: everything is closed then. */
    static final int END = 0;

    /**
     * One observation.
     *
     * @param step the operation after which it was made, or {@link #END}
     * @param operation whose outcome it is: another one's if that was released
     */
    record Event(int step, int operation, String observed) {
        @Override
        public String toString() {
            String where = step == END ? "at the end, " : step == operation ? "" : "after " + step + ", ";
            return where + operation + ": " + observed;
        }
    }

    Trace() {
        this(new ArrayList<>());
    }

    void add(int step, int operation, String observed) {
        events.add(new Event(step, operation, observed));
    }
}
