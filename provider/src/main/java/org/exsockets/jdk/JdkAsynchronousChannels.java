package org.exsockets.jdk;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.channels.spi.AsynchronousChannelProvider;

/**
 * The JVM's own provider of asynchronous channels, for programs that name ours and have EXS switched off. Thread-safe.
 */
public final class JdkAsynchronousChannels {
    private static final String LINUX_PROVIDER = "sun.nio.ch.LinuxAsynchronousChannelProvider";

    private JdkAsynchronousChannels() {}

    /** {@return the JVM's own provider} */
    public static AsynchronousChannelProvider provider() {
        return Holder.PROVIDER;
    }

    private static AsynchronousChannelProvider create() {
        Class<?> type;
        try {
            type = Class.forName(LINUX_PROVIDER);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("asynchronous provider of the JDK not found: class=" + LINUX_PROVIDER, e);
        }
        try {
            return (AsynchronousChannelProvider) type.getConstructor().newInstance();
        } catch (ReflectiveOperationException notExported) {
            return allocate(type, notExported);
        }
    }

    /** The class has static fields only, so an instance made without its constructor is as good as any. */
    private static AsynchronousChannelProvider allocate(Class<?> type, ReflectiveOperationException notExported) {
        try {
            Class<?> unsafeClass = Class.forName("sun.misc.Unsafe");
            Field instance = unsafeClass.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Method allocate = unsafeClass.getMethod("allocateInstance", Class.class);
            return (AsynchronousChannelProvider) allocate.invoke(instance.get(null), type);
        } catch (ReflectiveOperationException e) {
            e.addSuppressed(notExported);
            throw new IllegalStateException(
                    "asynchronous provider of the JDK not accessible: start Java with --add-exports"
                            + " java.base/sun.nio.ch=ALL-UNNAMED or with the agent",
                    e);
        }
    }

    private static final class Holder {
        static final AsynchronousChannelProvider PROVIDER = create();
    }
}
