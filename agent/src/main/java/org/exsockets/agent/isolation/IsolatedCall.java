package org.exsockets.agent.isolation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;

/** Calls public static methods of the classes that this jar hides, by name. Any thread. */
public final class IsolatedCall {
    /** The class behind the entry points for programs without the agent. */
    public static final String WITHOUT_AGENT = "org.exsockets.install.WithoutAgent";

    private IsolatedCall() {}

    /**
     * {@return what the method returns} Its unchecked exceptions and errors pass through.
     *
     * @throws UncheckedIOException for its IOException
     * @throws IllegalStateException if there is no such method
     */
    public static Object of(String type, String method, Class<?>[] parameters, Object... arguments) {
        try {
            return Class.forName(type, true, Isolation.loader())
                    .getMethod(method, parameters)
                    .invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw unchecked(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("damaged jar: " + e.getMessage(), e);
        }
    }

    private static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof IOException checked) {
            return new UncheckedIOException(checked);
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }
}
