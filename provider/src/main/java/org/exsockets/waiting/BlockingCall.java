package org.exsockets.waiting;

import java.io.IOException;

/**
 * The one loop of calls that block: wait, attempt, and so on until there is a result. A caller takes its turn and tries
 * first; only if there is nothing to do it starts the {@link #deadline} and comes here. Used by one thread at a time,
 * the holder of a lock.
 */
public abstract class BlockingCall {
    /** What a call does between its waits. */
    public interface Attempt {
        /**
         * Tries without waiting.
         *
         * @param ended 0, or the code of {@link Outcome} that the call ends with unless it has a result now
         * @return the result; {@link Outcome#WOULD_BLOCK}: none yet
         */
        int attempt(int ended) throws IOException;
    }

    /** The end of the current call; its thread starts it. */
    public final Deadline deadline = new Deadline();

    /**
     * Waits and attempts. {@link #deadline} has been started, and ends here.
     *
     * @return the result of an attempt, or the code of {@link Outcome} that has ended the call
     */
    public final int run(Attempt call) throws IOException {
        try {
            while (true) {
                int ended = await();
                int result = call.attempt(ended);
                if (result != Outcome.WOULD_BLOCK) {
                    return result;
                }
                if (ended != 0) {
                    return ended;
                }
            }
        } finally {
            deadline.restoreInterrupt();
        }
    }

    /** Waits for a change. {@return 0 if there may be one; or what ends the call} */
    protected abstract int await() throws IOException;
}
