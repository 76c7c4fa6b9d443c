package org.exsockets.jdk;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.ProtocolFamily;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/**
 * Channels and selectors of the JVM's own provider, whatever provider is installed system-wide.
 *
 * <p>The agent hands over the provider it has replaced ({@link #replaced}); otherwise the platform's class is
 * instantiated by name. Thread-safe.
 */
public final class JdkChannels {
    private static final String LINUX_PROVIDER = "sun.nio.ch.EPollSelectorProvider";

    private static volatile SelectorProvider provider;

    private JdkChannels() {}

    /** Remembers the JVM's own provider; the first call counts. */
    public static synchronized void replaced(SelectorProvider original) {
        if (provider == null) {
            provider = original;
        }
    }

    /** {@return the JVM's own provider} */
    public static SelectorProvider provider() {
        SelectorProvider known = provider;
        return known != null ? known : instantiate();
    }

    private static synchronized SelectorProvider instantiate() {
        if (provider == null) {
            provider = create();
        }
        return provider;
    }

    private static SelectorProvider create() {
        Class<?> type;
        try {
            type = Class.forName(LINUX_PROVIDER);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("selector provider of the JDK not found: class=" + LINUX_PROVIDER, e);
        }
        try {
            Constructor<?> constructor = type.getConstructor();
            return (SelectorProvider) constructor.newInstance();
        } catch (ReflectiveOperationException notExported) {
            return allocate(type, notExported);
        }
    }

    /** The class has no fields, so an instance made without its constructor is as good as any. */
    private static SelectorProvider allocate(Class<?> type, ReflectiveOperationException notExported) {
        try {
            Class<?> unsafeClass = Class.forName("sun.misc.Unsafe");
            Field instance = unsafeClass.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Method allocate = unsafeClass.getMethod("allocateInstance", Class.class);
            return (SelectorProvider) allocate.invoke(instance.get(null), type);
        } catch (ReflectiveOperationException e) {
            e.addSuppressed(notExported);
            throw new IllegalStateException(
                    "selector provider of the JDK not accessible: start Java with --add-exports"
                            + " java.base/sun.nio.ch=ALL-UNNAMED or with the agent",
                    e);
        }
    }

    public static SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return family == null ? provider().openSocketChannel() : provider().openSocketChannel(family);
    }

    public static ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return family == null
                ? provider().openServerSocketChannel()
                : provider().openServerSocketChannel(family);
    }

    public static Pipe openPipe() throws IOException {
        return provider().openPipe();
    }

    public static Selector openSelector() throws IOException {
        return provider().openSelector();
    }
}
