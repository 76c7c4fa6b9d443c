package org.exsockets.jdk;

/**
 * Runs something at the end of the JVM, after the shutdown hooks of the program, which may still use their connections.
 *
 * <p>Where {@code jdk.internal.access} is open to this module (the agent opens it) the JDK's own sequence of system
 * hooks is used; otherwise an ordinary hook, which runs beside the program's.
 */
public abstract class LateShutdown {
    private static final String HOOKS = "org.exsockets.jdk.InternalSystemHooks";

    LateShutdown() {}

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
            // By name: it is compiled apart, against a package that the compiler otherwise hides.
            return ((LateShutdown) Class.forName(HOOKS).getDeclaredConstructor().newInstance()).tryRegister(task);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError notOpen) {
            return false; // The ordinary hook does nearly as well.
        }
    }

    /** {@return whether there was an empty slot and, if the JVM is ending, one still to come} */
    abstract boolean tryRegister(Runnable task);
}
