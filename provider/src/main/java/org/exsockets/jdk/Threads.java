package org.exsockets.jdk;

import java.security.AccessController;
import java.security.PrivilegedAction;
import org.jspecify.annotations.Nullable;

/** Virtual threads, which exist from JDK 21 on, and threads of EXS. */
public final class Threads {
    /** From JDK 25 on, the JDK's threads of asynchronous channels inherit nothing from those that start them. */
    private static final boolean HANDLERS_INHERIT = Runtime.version().feature() < 25;

    /**
     * The class of all virtual threads, which {@code Thread.isVirtual} asks for, too; null: there are none. In the interpreter
     * a method handle would cost every call as much as fifty bytecodes.
     */
    private static final @Nullable Class<?> VIRTUAL = InsideJdk.VIRTUAL_THREADS.find();

    private Threads() {}

    /**
     * Sets the current thread's interrupt status again after a wait has cleared it. Where the native library is there,
     * this does not call {@link Thread#interrupt}, and neither does the JDK: a program may have overridden it, often to
     * close the very socket that is waited for.
     */
    public static void restoreInterrupt() {
        Thread self = Thread.currentThread();
        if (!currentIsVirtual() && DescriptorPoll.isLoaded()) {
            interruptOfTheJdk(self);
        } else {
            self.interrupt();
        }
    }

    /**
     * The JDK's own {@link Thread#interrupt}, even if a program's class overrides it. In the library of {@link
     * DescriptorPoll}.
     */
    private static native void interruptOfTheJdk(Thread thread);

    /** {@return whether the current thread is virtual: it must park, never block in the kernel} */
    public static boolean currentIsVirtual() {
        return VIRTUAL != null && VIRTUAL.isInstance(Thread.currentThread());
    }

    /**
     * {@return a daemon thread without the program's group, context loader, inheritable thread-locals and protection
     * domains} Anything inherited from a web application would keep its class loader alive. Up to JDK 23 a thread
     * inherits the domains of all callers, except those below a privileged action.
     */
    @SuppressWarnings("removal")
    public static Thread daemon(String name, Runnable body) {
        return AccessController.doPrivileged(new PrivilegedAction<Thread>() {
            @Override
            public Thread run() {
                return make(name, body);
            }
        });
    }

    /**
     * {@return a daemon thread that runs handlers of asynchronous channels, or hands them to an executor, whose new
     * threads then inherit from this one} Up to JDK 24 it inherits the context loader and inheritable thread-locals of
     * its creator, as the JDK's does. Later, and under a security manager, it has the system's loader and nothing else.
     */
    @SuppressWarnings("removal")
    public static Thread ofHandlers(String name, Runnable body) {
        boolean inherits = HANDLERS_INHERIT && System.getSecurityManager() == null;
        return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
            if (inherits) {
                Thread thread = new Thread(body, name);
                thread.setDaemon(true);
                return thread;
            }
            Thread thread = make(name, body);
            thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            return thread;
        });
    }

    private static Thread make(String name, Runnable body) {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root != null && root.getParent() != null) {
            root = root.getParent();
        }
        Thread thread = new Thread(root, body, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }
}
