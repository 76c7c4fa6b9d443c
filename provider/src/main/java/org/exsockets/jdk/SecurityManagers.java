package org.exsockets.jdk;

import java.net.InetSocketAddress;
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.PrivilegedAction;
import org.jspecify.annotations.Nullable;

/** The security manager of the program: it can exist up to JDK 23, and be set at any time. Any thread. */
@SuppressWarnings("removal")
public final class SecurityManagers {
    private SecurityManagers() {}

    public static boolean present() {
        return System.getSecurityManager() != null;
    }

    /**
     * Checks what the JDK's asynchronous channels check before they connect.
     *
     * @throws SecurityException if the program may not connect there
     */
    public static void checkConnect(InetSocketAddress remote) {
        SecurityManager manager = System.getSecurityManager();
        if (manager != null) {
            manager.checkConnect(remote.getAddress().getHostAddress(), remote.getPort());
        }
    }

    /** {@return what {@code action} does, for which the program needs no permission} */
    public static <T> T privileged(PrivilegedAction<T> action) {
        return AccessController.doPrivileged(action);
    }

    /**
     * Runs {@code action}, for which the program needs no permission. On the way of every program, callers look first
     * whether a manager is {@link #present}, and so make no class for it.
     */
    public static void asOurselves(Runnable action) {
        AccessController.doPrivileged((PrivilegedAction<@Nullable Void>) () -> {
            action.run();
            return null;
        });
    }

    /** {@return a task that does what {@code task} does, with no more permissions than its giver has here and now} */
    public static Runnable asGiver(Runnable task) {
        if (!present()) {
            return task;
        }
        AccessControlContext giver = AccessController.getContext();
        PrivilegedAction<@Nullable Void> action = () -> {
            task.run();
            return null;
        };
        return () -> AccessController.doPrivileged(action, giver);
    }

    /**
     * Checks what the JDK's channels check before they give a connection to the program.
     *
     * @throws SecurityException if the program may not accept from there
     */
    public static void checkAccept(InetSocketAddress remote) {
        SecurityManager manager = System.getSecurityManager();
        if (manager != null) {
            manager.checkAccept(remote.getAddress().getHostAddress(), remote.getPort());
        }
    }
}
