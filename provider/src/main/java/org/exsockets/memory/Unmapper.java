package org.exsockets.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;

/**
 * Gives a mapping back before the garbage collector would.
 *
 * <p>Two ways, looked for when the first one is to be given back: the JDK's internal Unsafe, where {@code jdk.internal.misc} is open to this module (the agent
 * opens it; silent on every JDK), then {@code sun.misc.Unsafe} up to JDK 23 (later JDKs print a warning for it). With
 * neither, mappings live until the collector finds them unreachable.
 */
final class Unmapper {
    /** What {@link #find} has found. Written before {@link #searched}. */
    private static MethodHandle invokeCleaner;

    /** Not if there was no memory to search. */
    private static volatile boolean searched;

    private Unmapper() {}

    private static MethodHandle find() {
        try {
            return cleaner("jdk.internal.misc.Unsafe", true);
        } catch (ReflectiveOperationException | RuntimeException notOpened) {
            if (Runtime.version().feature() > 23) {
                return null;
            }
        }
        try {
            return cleaner("sun.misc.Unsafe", false);
        } catch (ReflectiveOperationException | RuntimeException absent) {
            return null;
        }
    }

    private static MethodHandle cleaner(String className, boolean internal) throws ReflectiveOperationException {
        Class<?> unsafeClass = Class.forName(className);
        MethodHandles.Lookup lookup =
                internal ? MethodHandles.privateLookupIn(unsafeClass, MethodHandles.lookup()) : MethodHandles.lookup();
        Object unsafe;
        if (internal) {
            unsafe = lookup.findStaticGetter(unsafeClass, "theUnsafe", unsafeClass)
                    .asType(MethodType.methodType(Object.class));
            try {
                unsafe = (Object) ((MethodHandle) unsafe).invokeExact();
            } catch (Throwable e) {
                throw new ReflectiveOperationException(e);
            }
        } else {
            var field = unsafeClass.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            unsafe = field.get(null);
        }
        return lookup.findVirtual(unsafeClass, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                .bindTo(unsafe);
    }

    /**
     * Unmaps {@code mapping} if this JVM can. Any later access to it or to a view of it crashes the JVM, so the caller
     * must be the last user.
     */
    static void unmap(ByteBuffer mapping) {
        try {
            if (!searched) {
                invokeCleaner = find();
                searched = true;
            }
            if (invokeCleaner != null) {
                invokeCleaner.invokeExact(mapping);
            }
        } catch (OutOfMemoryError full) {
            return; // The collector is looking for memory anyway.
        } catch (Throwable e) {
            throw new IllegalStateException("unmap: failed: length=" + mapping.capacity(), e);
        }
    }
}
