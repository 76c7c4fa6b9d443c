package org.exsockets.verbs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import org.exsockets.verbs.WorkCompletion.Status;

/**
 * Completions of an end's own requests, for devices: failures, and completions that the upper layer has asked for.
 * Allocates only when more of them wait than ever before. Thread-safe.
 */
public final class LocalCompletions {
    private static final int FIRST_CAPACITY = 8;

    /** A ring from {@link #head} on, of {@link #count} entries. */
    @GuardedBy("this")
    private long[] wrIds = {};

    @GuardedBy("this")
    private Status[] statuses = {};

    @GuardedBy("this")
    private Opcode[] opcodes = {};

    @GuardedBy("this")
    private int head;

    @GuardedBy("this")
    private int count;

    /** Written under the monitor; read without it so that an empty queue costs one load. */
    private volatile boolean empty = true;

    public synchronized void add(long wrId, Status status, Opcode opcode) {
        if (count == wrIds.length) {
            grow();
        }
        int index = (head + count) % wrIds.length;
        wrIds[index] = wrId;
        statuses[index] = status;
        opcodes[index] = opcode;
        count++;
        empty = false;
    }

    @GuardedBy("this")
    private void grow() {
        int old = wrIds.length;
        int capacity = Math.max(FIRST_CAPACITY, 2 * old);
        wrIds = Arrays.copyOf(wrIds, capacity);
        statuses = Arrays.copyOf(statuses, capacity);
        opcodes = Arrays.copyOf(opcodes, capacity);
        // It was full: what lay before the head follows behind the old end.
        System.arraycopy(wrIds, 0, wrIds, old, head);
        System.arraycopy(statuses, 0, statuses, old, head);
        System.arraycopy(opcodes, 0, opcodes, old, head);
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
            if (count == 0) {
                return false;
            }
            into.wrId = wrIds[head];
            into.status = statuses[head];
            into.opcode = opcodes[head];
            into.byteLength = 0;
            head = (head + 1) % wrIds.length;
            count--;
            empty = count == 0;
            return true;
        }
    }
}
