package org.exsockets.verbs.soft;

import java.util.ArrayDeque;
import org.exsockets.verbs.Opcode;
import org.exsockets.verbs.WorkCompletion;
import org.exsockets.verbs.WorkCompletion.Status;

/**
 * Completions of an end's own requests: rare on this device, where requests complete as they are posted and the upper
 * layer asks for completions of failures only. Thread-safe.
 */
final class LocalCompletions {
    private record Entry(long wrId, Status status, Opcode opcode) {}

    /** Guarded by this object's monitor. */
    private final ArrayDeque<Entry> entries = new ArrayDeque<>(0);

    /** Written under the monitor; read without it so that an empty queue costs one load. */
    private volatile boolean empty = true;

    synchronized void add(long wrId, Status status, Opcode opcode) {
        entries.add(new Entry(wrId, status, opcode));
        empty = false;
    }

    boolean isEmpty() {
        return empty;
    }

    boolean poll(WorkCompletion into) {
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
