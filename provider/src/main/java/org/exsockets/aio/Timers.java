package org.exsockets.aio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When pending operations of a group time out. A {@link Direction} has one entry at most. When it is due, its direction
 * looks at what is pending then, so that many short operations with long time-outs cost one entry in all. Any thread
 * adds and removes; the leader expires.
 */
final class Timers {
    /** What an entry is of. */
    interface Timed {
        /** Leader: its entry is due, and has been removed; handlers to run go to {@code completed}. */
        void expire(Entry due, long nowNs, List<Runnable> completed);
    }

    /** @param number makes entries with the same deadline different */
    record Entry(Timed timed, long deadlineNs, long number) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            long later = deadlineNs - other.deadlineNs;
            return later != 0 ? Long.signum(later) : Long.compare(number, other.number);
        }
    }

    private static final long NS_PER_MS = 1_000_000;

    @GuardedBy("this")
    private final TreeSet<Entry> entries = new TreeSet<>();

    @GuardedBy("this")
    private long added;

    /** Saves a group without time-outs the monitor. Changed under the monitor. */
    private volatile boolean any;

    synchronized Entry add(Timed timed, long deadlineNs) {
        Entry entry = new Entry(timed, deadlineNs, added++);
        entries.add(entry);
        any = true;
        return entry;
    }

    /** {@return whether no other entry is due earlier} */
    synchronized boolean isFirst(Entry entry) {
        return !entries.isEmpty() && entries.first() == entry;
    }

    synchronized void remove(Entry entry) {
        entries.remove(entry);
        any = !entries.isEmpty();
    }

    /** {@return milliseconds until the first deadline, rounded up; −1: there is none} */
    long remainingMs() {
        if (!any) {
            return -1;
        }
        synchronized (this) {
            return entries.isEmpty()
                    ? -1
                    : Math.max(0, (entries.first().deadlineNs - System.nanoTime() + NS_PER_MS - 1) / NS_PER_MS);
        }
    }

    /** Leader: ends the operations that have timed out; handlers to run go to {@code completed}. */
    void expire(List<Runnable> completed) {
        if (!any) {
            return;
        }
        long nowNs = System.nanoTime();
        for (Entry due; (due = poll(nowNs)) != null; ) {
            // Without the monitor: the direction's lock comes first.
            due.timed.expire(due, nowNs, completed);
        }
    }

    /** {@return the first entry, removed; null if it is not due} */
    private synchronized @Nullable Entry poll(long nowNs) {
        if (entries.isEmpty() || entries.first().deadlineNs - nowNs > 0) {
            return null;
        }
        Entry first = entries.pollFirst();
        any = !entries.isEmpty();
        return first;
    }
}
