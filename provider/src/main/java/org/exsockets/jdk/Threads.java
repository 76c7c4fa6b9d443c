package org.exsockets.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.AccessController;
import java.security.PrivilegedAction;

/** What differs between threads from JDK 21 on, and threads that serve. */
public final class Threads {
    /** Later JDKs keep what their own threads of asynchronous channels would inherit from those that start them. */
    private static final boolean HANDLERS_INHERIT = Runtime.version().feature() < 25;

    private static final MethodHandle IS_VIRTUAL = findIsVirtual();

    private Threads() {}

    private static MethodHandle findIsVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException beforeJdk21) {
            return null;
        }
    }

    /**
     * Sets the current thread's interrupt status again, which a wait has taken away. A program may have overridden {@link
     * Thread#interrupt}, often to close the very socket that is waited for: the JDK does not call it here, and neither does
     * this, where the native library is there.
     */
    public static void restoreInterrupt() {
        Thread self = Thread.currentThread();
        if (!currentIsVirtual() && DescriptorPoll.isLoaded()) {
            interruptOfTheJdk(self);
        } else {
            self.interrupt();
        }
    }

    /** {@link Thread#interrupt} of the JDK, whatever a program's class of threads makes of it. In the library of {@link DescriptorPoll}. */
    private static native void interruptOfTheJdk(Thread thread);

    /** {@return whether the current thread is virtual: it must park, never block in the kernel} */
    public static boolean currentIsVirtual() {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * {@return a daemon thread that belongs to no program's group, context loader, inheritable thread-locals or protection
     * domains} Whatever it inherited of a web application, the application's class loader would stay with it. Up to JDK 23
     * it inherits the domains of everybody who calls, but for those below a privileged action.
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
     * {@return a daemon thread that runs handlers of asynchronous channels, or hands them to an executor, whose new threads then
     * inherit from this one} As the JDK's does, it has the context loader and inheritable thread-locals of whoever starts it
     * up to JDK 24; afterwards, and under a security manager, the system's loader and nothing else.
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
