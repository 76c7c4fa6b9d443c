package org.exsockets.verbs;

import org.exsockets.verbs.WorkCompletion.Status;
import org.jspecify.annotations.Nullable;

/** For devices: the first failure of a queue pair, until a completion has told it. */
public final class FirstFailure {
    private record Cause(Status status, String detail) {}

    /** Any thread writes and reads it. The first one is kept; of two at the same time, either is. */
    private volatile @Nullable Cause cause;

    /** Written by the poller. Another thread may see it late, and then the queue as not empty, which is harmless. */
    private boolean told;

    /** @param detail as {@link WorkCompletion#detail} */
    public void set(Status status, String detail) {
        if (cause == null) {
            cause = new Cause(status, detail);
        }
    }

    /** {@return whether {@link #poll} would find it; any thread} */
    public boolean isToTell() {
        return cause != null && !told;
    }

    /** The poller. {@return whether it had not been told yet} */
    public boolean poll(WorkCompletion into) {
        Cause first = cause;
        if (first == null || told) {
            return false;
        }
        into.status = first.status;
        into.detail = first.detail;
        told = true;
        return true;
    }
}
