package org.exsockets.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

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

    public static void register(Runnable task) {
        if (!registerSystemHook(task)) {
            Thread hook = Threads.daemon("exs-exit", task);
            Runtime.getRuntime().addShutdownHook(hook);
        }
    }

    private static boolean registerSystemHook(Runnable task) {
        try {
            Class<?> secrets = Class.forName("jdk.internal.access.SharedSecrets");
            Class<?> langAccess = Class.forName("jdk.internal.access.JavaLangAccess");
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(secrets, MethodHandles.lookup());
            Object access = lookup.findStatic(secrets, "getJavaLangAccess", MethodType.methodType(langAccess))
                    .invoke();
            MethodHandle register = lookup.findVirtual(
                    langAccess,
                    "registerShutdownHook",
                    MethodType.methodType(void.class, int.class, boolean.class, Runnable.class));
            for (int slot = FIRST_SLOT; slot < SLOTS; slot++) {
                if (tryRegister(register, access, slot, task)) {
                    return true;
                }
            }
        } catch (Throwable notOpen) {
            // The ordinary hook does nearly as well.
        }
        return false;
    }

    private static boolean tryRegister(MethodHandle register, Object access, int slot, Runnable task) throws Throwable {
        try {
            register.invoke(access, slot, false, task);
            return true;
        } catch (InternalError slotTaken) {
            return false;
        }
    }
}
