package org.exsockets.waiting;

import java.lang.reflect.Method;

/** Virtual threads where the JDK has them. */
public final class VirtualThreads {
    private static final Method START = find();

    private VirtualThreads() {}

    private static Method find() {
        try {
            return Runtime.version().feature() < 21
                    ? null
                    : Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    public static boolean supported() {
        return START != null;
    }

    public static Thread start(Runnable body) {
        try {
            return (Thread) START.invoke(null, body);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
