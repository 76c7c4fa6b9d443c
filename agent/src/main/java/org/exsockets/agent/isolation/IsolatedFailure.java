package org.exsockets.agent.isolation;

import java.lang.reflect.InvocationTargetException;

/** Gives callers of isolated code the exception that it threw, out of reflection's wrapping. Any thread. */
public final class IsolatedFailure {
    private IsolatedFailure() {}

    /**
     * {@return the unchecked exception behind {@code e}, for the caller to throw}
     *
     * @throws Error if there is an error behind {@code e}
     */
    public static RuntimeException unwrap(InvocationTargetException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
    }
}
