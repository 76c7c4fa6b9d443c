package org.exsockets.jdk;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.ProtocolFamily;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/**
 * Channels and selectors of the JVM's own provider, whatever provider is installed system-wide.
 *
 * <p>The agent hands over the provider it has replaced ({@link #replaced}); otherwise the platform's class is
 * instantiated by name. Thread-safe.
 */
public final class JdkChannels {
    private static volatile @Nullable SelectorProvider provider;

    private static final class Asynchronous {
        static final AsynchronousChannelProvider PROVIDER =
                make(AsynchronousChannelProvider.class, InsideJdk.ASYNCHRONOUS_PROVIDER);
    }

    private JdkChannels() {}

    /** Remembers the JVM's own provider; the first call counts. */
    public static synchronized void replaced(SelectorProvider original) {
        if (provider == null) {
            provider = original;
        }
    }

    public static SelectorProvider provider() {
        SelectorProvider known = provider;
        if (known == null && InsideJdk.SELECTOR_PROVIDER.find() == null) {
            SelectorProvider.provider(); // The agent hands over the one that is replaced.
            known = provider;
        }
        return known != null ? known : instantiate();
    }

    /** {@return the JVM's own provider of asynchronous channels, for programs that name ours with EXS switched off} */
    public static AsynchronousChannelProvider asynchronousProvider() {
        return Asynchronous.PROVIDER;
    }

    private static synchronized SelectorProvider instantiate() {
        if (provider == null) {
            provider = make(SelectorProvider.class, InsideJdk.SELECTOR_PROVIDER);
        }
        return provider;
    }

    /**
     * Makes an instance of a provider of the JDK. Its class has no fields but static ones, so an instance made without
     * its constructor is as good as any.
     */
    private static <T> T make(Class<T> kind, InsideJdk name) {
        Class<?> type = name.find();
        if (type == null) {
            throw new IllegalStateException("provider of the JDK not found: class=" + name.type());
        }
        try {
            return kind.cast(type.getConstructor().newInstance());
        } catch (ReflectiveOperationException notExported) {
            return kind.cast(allocate(type, notExported));
        }
    }

    private static Object allocate(Class<?> type, ReflectiveOperationException notExported) {
        try {
            InsideJdk unsafe = InsideJdk.SUPPORTED_UNSAFE;
            Class<?> unsafeClass = unsafe.get();
            Field instance = unsafeClass.getDeclaredField(unsafe.member(0));
            instance.setAccessible(true);
            return unsafeClass.getMethod(unsafe.member(1), Class.class).invoke(instance.get(null), type);
        } catch (ReflectiveOperationException e) {
            e.addSuppressed(notExported);
            throw new IllegalStateException(
                    "provider of the JDK not accessible: start Java with --add-exports"
                            + " java.base/sun.nio.ch=ALL-UNNAMED or with the agent: class=" + type.getName(),
                    e);
        }
    }

    public static SocketChannel openSocketChannel(@Nullable ProtocolFamily family) throws IOException {
        return family == null ? provider().openSocketChannel() : provider().openSocketChannel(family);
    }

    public static ServerSocketChannel openServerSocketChannel(@Nullable ProtocolFamily family) throws IOException {
        return family == null
                ? provider().openServerSocketChannel()
                : provider().openServerSocketChannel(family);
    }

    public static Selector openSelector() throws IOException {
        return provider().openSelector();
    }
}
