package org.exsockets;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import org.exsockets.agent.isolation.IsolatedFailure;
import org.exsockets.agent.isolation.Isolation;

/**
 * Puts java.net sockets over EXS for a program that runs without the agent. The agent's jar shows this class to the
 * program in place of the provider's class of the same name, to which it leads. Any thread.
 */
public final class ExsSockets {
    private ExsSockets() {}

    /**
     * Installs the socket factories for {@code Socket} and {@code ServerSocket}; does what the provider's own class of
     * this name documents.
     *
     * @throws IOException if the program has factories already ("factory already defined")
     */
    public static void install() throws IOException {
        try {
            Class.forName(ExsSockets.class.getName(), true, Isolation.loader())
                    .getMethod("install")
                    .invoke(null);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw IsolatedFailure.unwrap(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("damaged jar: " + e.getMessage(), e);
        }
    }
}
