package org.exsockets.compat.contract;

import java.nio.ByteBuffer;

/** Buffers of {@code java.lang.foreign} arenas; by reflection, since the oldest JDK has none. */
final class Arenas {
    private static final long LENGTH = 10;

    private Arenas() {}

    static boolean present() {
        return Runtime.version().feature() >= 22;
    }

    /** {@return a buffer whose arena is closed} */
    static ByteBuffer closed() throws ReflectiveOperationException {
        Object arena = arenas().getMethod("ofShared").invoke(null);
        ByteBuffer buffer = allocate(arena, LENGTH);
        arenas().getMethod("close").invoke(arena);
        return buffer;
    }

    /** {@return a buffer for the thread that calls this} */
    static ByteBuffer confined() throws ReflectiveOperationException {
        return allocate(arenas().getMethod("ofConfined").invoke(null), LENGTH);
    }

    /** {@return an arena for all threads} */
    static AutoCloseable shared() throws ReflectiveOperationException {
        return (AutoCloseable) arenas().getMethod("ofShared").invoke(null);
    }

    static ByteBuffer allocate(Object arena, long length) throws ReflectiveOperationException {
        Object segment = arenas().getMethod("allocate", long.class).invoke(arena, length);
        return (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment")
                .getMethod("asByteBuffer")
                .invoke(segment);
    }

    private static Class<?> arenas() throws ClassNotFoundException {
        return Class.forName("java.lang.foreign.Arena");
    }
}
