package org.exsockets.verbs;

import java.util.ArrayDeque;
import org.exsockets.verbs.WorkCompletion.Status;

/**
 * Completions of an end's own requests, for devices: rare, because the upper layer asks for completions of failures only.
 * Thread-safe.
 */
public final class LocalCompletions {
    private record Entry(long wrId, Status status, Opcode opcode) {}

    /** Guarded by this object's monitor. */
    private final ArrayDeque<Entry> entries = new ArrayDeque<>(0);

    /** Written under the monitor; read without it so that an empty queue costs one load. */
    private volatile boolean empty = true;

    /** Appends a completion. */
    public synchronized void add(long wrId, Status status, Opcode opcode) {
        entries.add(new Entry(wrId, status, opcode));
        empty = false;
    }

    /** {@return whether {@link #poll} would find nothing; costs one load} */
    public boolean isEmpty() {
        return empty;
    }

    /** Takes the oldest one. {@return whether there was one} */
    public boolean poll(WorkCompletion into) {
        if (empty) {
            return false;
        }
        synchronized (this) {
            Entry entry = entries.poll();
            empty = entries.isEmpty();
            if (entry == null) {
                return false;
            }
            into.wrId = entry.wrId;
            into.status = entry.status;
            into.opcode = entry.opcode;
            into.byteLength = 0;
            return true;
        }
    }
}
