package org.exsockets.agent.bootstrap;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.net.SocketImpl;
import java.nio.ByteBuffer;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.BiFunction;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import jdk.internal.misc.Unsafe;

/**
 * The hooks inside java.base: defines their classes there, and sets their functions.
 *
 * <p>Owned by the installing thread. Defined hooks do nothing until {@link #activateSockets},
 * {@link #activateSelectorProviders} and {@link #activateAsynchronousProviders}; they cannot be taken back.
 */
public final class HookClasses {
    private static final String BRIDGE = "java.net.ExsBridgingSocketImpl";
    private static final String SOCKET_HOOK = "java.net.ExsSocketHook";
    private static final String PROVIDER_HOOK = "java.nio.channels.spi.ExsProviderHook";
    private static final String TRANSFER_HOOK = "java.nio.channels.spi.ExsTransferHook";
    private static final String DIRECT_MEMORY_HOOK = "java.nio.ExsDirectMemoryHook";

    private HookClasses() {}

    /**
     * Defines the hook of sockets; after {@link JavaBase#open}.
     *
     * @throws IOException if a class file cannot be read
     * @throws IllegalAccessException if java.base is closed
     * @throws LinkageError if the JVM refuses a hook
     */
    public static void defineSockets() throws IOException, IllegalAccessException {
        MethodHandles.Lookup inNet = MethodHandles.privateLookupIn(SocketImpl.class, MethodHandles.lookup());
        define(inNet, BRIDGE);
        define(inNet, SOCKET_HOOK);
    }

    /** As {@link #defineSockets}, of the providers of channels. */
    public static void defineProviders() throws IOException, IllegalAccessException {
        define(MethodHandles.privateLookupIn(SelectorProvider.class, MethodHandles.lookup()), PROVIDER_HOOK);
    }

    /** From now on every platform socket implementation passes through {@code function}. */
    public static void activateSockets(BiFunction<SocketImpl, Boolean, SocketImpl> function)
            throws NoSuchFieldException, IllegalAccessException {
        set(find(SOCKET_HOOK), "function", function);
    }

    /** From now on {@link SelectorProvider#provider()} returns what {@code function} makes of the JVM's own. */
    public static void activateSelectorProviders(UnaryOperator<SelectorProvider> function)
            throws NoSuchFieldException, IllegalAccessException {
        set(find(PROVIDER_HOOK), "selectors", function);
    }

    /**
     * From now on {@link AsynchronousChannelProvider#provider()} returns what {@code function} makes of the JVM's own.
     */
    public static void activateAsynchronousProviders(UnaryOperator<AsynchronousChannelProvider> function)
            throws NoSuchFieldException, IllegalAccessException {
        set(find(PROVIDER_HOOK), "asynchronous", function);
    }

    /**
     * Defines the hook of file channels and channel streams, which are to be woven afterwards. From then on they leave
     * work with channels of the class {@code channels} to the functions.
     *
     * @param transferTo {@code (FileChannel, long position, long count, WritableByteChannel) long}
     * @param transferFrom {@code (ReadableByteChannel, FileChannel, long position, long count) long}
     */
    public static void defineTransfers(Class<?> channels, MethodHandle transferTo, MethodHandle transferFrom)
            throws IOException, NoSuchFieldException, IllegalAccessException {
        MethodHandles.Lookup inSpi = MethodHandles.privateLookupIn(SelectorProvider.class, MethodHandles.lookup());
        Class<?> hook = define(inSpi, TRANSFER_HOOK);
        set(hook, "transferTo", transferTo);
        set(hook, "transferFrom", transferFrom);
        set(hook, "channels", channels);
    }

    /**
     * Defines the hook of direct buffers and mapped files, which are to be woven afterwards.
     *
     * @param placing {@code (bytes) address}, 0 to leave it to the JVM; null to leave all
     * @param freeing {@code (address, bytes) freed}, 0 to leave it to the JVM; never throws
     */
    public static void defineDirectMemory(LongUnaryOperator placing, LongBinaryOperator freeing)
            throws IOException, NoSuchFieldException, IllegalAccessException {
        MethodHandles.Lookup inNio = MethodHandles.privateLookupIn(ByteBuffer.class, MethodHandles.lookup());
        Class<?> hook = define(inNio, DIRECT_MEMORY_HOOK);
        set(hook, "freeing", freeing);
        set(hook, "placing", placing);
    }

    /** As {@link Field#set}, for whose first use JDKs from 18 on make classes: only where the JDK has nothing else. */
    private static void set(Class<?> hook, String name, Object value)
            throws NoSuchFieldException, IllegalAccessException {
        Field field = hook.getDeclaredField(name);
        try {
            Unsafe unsafe = Unsafe.getUnsafe();
            unsafe.ensureClassInitialized(hook);
            unsafe.putReferenceVolatile(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field), value);
        } catch (LinkageError gone) {
            field.setAccessible(true);
            field.set(null, value);
        }
    }

    /** A class of an earlier, failed attempt is as good as a new one. */
    private static Class<?> define(MethodHandles.Lookup lookup, String name)
            throws IOException, IllegalAccessException {
        Class<?> earlier = find(name);
        if (earlier != null) {
            return earlier;
        }
        String resource = "hooks/" + name.replace('.', '/') + ".class";
        try (InputStream in = HookClasses.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("missing in the agent's jar: " + resource);
            }
            return lookup.defineClass(in.readAllBytes());
        }
    }

    private static Class<?> find(String name) {
        try {
            return Class.forName(name, false, null);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
