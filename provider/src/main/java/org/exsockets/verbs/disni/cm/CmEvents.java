package org.exsockets.verbs.disni.cm;

import java.util.ArrayDeque;
import org.exsockets.verbs.disni.VerbsException;

/**
 * Passes on what the connection manager reports, a few events at a time: to accept a connection takes up to a
 * millisecond, and whoever sleeps until a completion comes would wait for a whole storm of clients. Of one thread.
 */
final class CmEvents {
    /** Where the events come from. */
    interface Source {
        /** Passes the next event on. {@return false if there is none} */
        boolean passNext() throws VerbsException;
    }

    /** Sleepers are woken at least after so many events; to look whether there is anybody to wake takes microseconds. */
    static final int AT_ONCE = 4;

    private final Source source;
    private final ArrayDeque<Runnable> hearers = new ArrayDeque<>();
    private long heardUntilNs = System.nanoTime();

    CmEvents(Source source) {
        this.source = source;
    }

    /** {@return the time until which all events have been passed on} */
    long heardUntilNs() {
        return heardUntilNs;
    }

    /** Has {@code then} run in the round that finds that all events reported by now have been passed on. */
    void whenHeard(Runnable then) {
        hearers.add(then);
    }

    /** {@return whether the next round must not wait for an event} */
    boolean isAskedFor() {
        return !hearers.isEmpty();
    }

    /**
     * One round.
     *
     * @param readable whether there may be events
     * @param askedNs when that was found out
     */
    void pass(boolean readable, long askedNs) throws VerbsException {
        long untilNs = askedNs;
        if (readable || isAskedFor()) {
            untilNs = System.nanoTime();
            for (int passed = 0; source.passNext(); ) {
                if (++passed == AT_ONCE) {
                    return;
                }
            }
        }
        heardUntilNs = untilNs;
        for (Runnable hearer; (hearer = hearers.poll()) != null; ) {
            hearer.run();
        }
    }
}
