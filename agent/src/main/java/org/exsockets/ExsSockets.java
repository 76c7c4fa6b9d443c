package org.exsockets;

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
     */
    public static void install() {
        try {
            Class.forName(ExsSockets.class.getName(), true, Isolation.loader())
                    .getMethod("install")
                    .invoke(null);
        } catch (InvocationTargetException e) {
            throw IsolatedFailure.unwrap(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("damaged jar: " + e.getMessage(), e);
        }
    }
}
