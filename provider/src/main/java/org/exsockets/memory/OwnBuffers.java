package org.exsockets.memory;

import java.nio.ByteBuffer;

/**
 * Direct buffers of this project's own that stay for the life of the JVM. With {@code exs.direct.buffers} they would
 * otherwise be placed among the program's, and keep an arena that could be given up. Any thread.
 */
public final class OwnBuffers {
    /** Set while its thread allocates here. */
    private static final ThreadLocal<Boolean> ALLOCATING = new ThreadLocal<>();

    private OwnBuffers() {}

    /**
     * {@return a direct buffer in memory of the JVM}
     *
     * @throws OutOfMemoryError if the limit of direct memory is reached
     */
    public static ByteBuffer allocate(int lengthBytes) {
        ALLOCATING.set(Boolean.TRUE);
        try {
            return ByteBuffer.allocateDirect(lengthBytes);
        } finally {
            ALLOCATING.remove();
        }
    }

    /** {@return whether the calling thread is allocating a buffer here: it is not one of the program's} */
    public static boolean allocating() {
        return ALLOCATING.get() != null;
    }
}
