package org.exsockets.verbs;

import org.exsockets.verbs.WorkCompletion.Status;
import org.jspecify.annotations.Nullable;

/** For devices: the first failure of a queue pair, until a completion has told it. */
public final class FirstFailure {
    /** Any thread writes and reads it. The first one is kept; of two at the same time, either is. */
    private volatile @Nullable Status cause;

    /** Written by the poller. Another thread may see it late, and then the queue as not empty, which is harmless. */
    private boolean told;

    public void set(Status status) {
        if (cause == null) {
            cause = status;
        }
    }

    /** {@return whether {@link #poll} would find it; any thread} */
    public boolean isToTell() {
        return cause != null && !told;
    }

    /** The poller. {@return whether it had not been told yet} */
    public boolean poll(WorkCompletion into) {
        Status status = cause;
        if (status == null || told) {
            return false;
        }
        into.status = status;
        told = true;
        return true;
    }
}
