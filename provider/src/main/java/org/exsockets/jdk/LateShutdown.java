package org.exsockets.jdk;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Runs something at the end of the JVM, after the shutdown hooks of the program, which may still use their connections.
 *
 * <p>Where {@code jdk.internal.access} is open to this module (the agent opens it) the JDK's own sequence of system
 * hooks is used; otherwise an ordinary hook, which runs beside the program's.
 */
public final class LateShutdown {
    /** The JDK uses the slots 0 to 2; there are ten. */
    private static final int FIRST_SLOT = 5;

    private static final int SLOTS = 10;

    private LateShutdown() {}

    /**
     * Registers a task for the end of the JVM. An ordinary hook cannot be registered once the program's shutdown hooks
     * run: then nothing happens.
     *
     * @param last what to run after all hooks of the program
     * @param beside what to run instead while they may still be at work
     */
    public static void register(Runnable last, Runnable beside) {
        if (!registerSystemHook(last)) {
            Thread hook = Threads.daemon("exs-exit", beside);
            try {
                Runtime.getRuntime().addShutdownHook(hook);
            } catch (IllegalStateException endsAlready) {
                // The first connection was made by a shutdown hook: it ends with the process.
            }
        }
    }

    private static boolean registerSystemHook(Runnable task) {
        try {
            Class<?> secrets = Class.forName("jdk.internal.access.SharedSecrets");
            Class<?> langAccess = Class.forName("jdk.internal.access.JavaLangAccess");
            Object access = secrets.getMethod("getJavaLangAccess").invoke(null);
            Method register = langAccess.getMethod("registerShutdownHook", int.class, boolean.class, Runnable.class);
            for (int slot = FIRST_SLOT; slot < SLOTS; slot++) {
                if (tryRegister(register, access, slot, task)) {
                    return true;
                }
            }
        } catch (ReflectiveOperationException | RuntimeException | LinkageError notOpen) {
            // The ordinary hook does nearly as well.
        }
        return false;
    }

    /** {@return whether the slot was empty and, if the JVM is ending, still to come; else the JDK throws something} */
    private static boolean tryRegister(Method register, Object access, int slot, Runnable task)
            throws IllegalAccessException {
        try {
            register.invoke(access, slot, true, task);
            return true;
        } catch (InvocationTargetException slotTaken) {
            return false;
        }
    }
}
