package org.exsockets.jdk;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The owner of the memory of a direct buffer. The JDK keeps it in each buffer, but shows it to itself only: {@code
 * sun.nio.ch} has to be exported to this module; the agent does that. Thread-safe.
 */
public final class DirectBufferOwner {
    private static final @Nullable Class<?> DIRECT = InsideJdk.DIRECT_MEMORY.find();
    private static final @Nullable Method CLEANER = method(InsideJdk.DIRECT_MEMORY.member(0));
    private static final @Nullable Method ATTACHMENT = method(InsideJdk.DIRECT_MEMORY.member(1));

    private DirectBufferOwner() {}

    private static @Nullable Method method(String name) {
        try {
            return DIRECT == null ? null : DIRECT.getMethod(name);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /**
     * {@return whether the memory is that of an {@code allocateDirect}, all of it or a part} False for mapped files (if
     * {@code jdk.internal.misc} is open; otherwise true), for native code's memory and for foreign segments. Always false
     * without the JDK's help.
     *
     * @param buffer direct: as allocated, or a slice, duplicate or read-only view of such a buffer, of any order
     */
    public static boolean isAllocated(ByteBuffer buffer) {
        if (DIRECT == null || CLEANER == null || ATTACHMENT == null) {
            return false;
        }
        try {
            Object owner = buffer;
            while (DIRECT.isInstance(owner)) {
                if (CLEANER.invoke(owner) != null) {
                    BufferInside inside = BufferInside.open();
                    return inside == null || !(owner instanceof ByteBuffer memory) || !inside.isMapped(memory);
                }
                owner = ATTACHMENT.invoke(owner);
            }
            return false;
        } catch (ReflectiveOperationException closed) {
            return false;
        }
    }
}
