package org.exsockets.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

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

    /**
     * A buffer that many share, each by a duplicate or slice. Made at its first use, because a class whose initialiser
     * has found no memory stays broken. Any thread; two threads may make one each, and the last one stays.
     */
    public static final class Shared {
        private final int lengthBytes;
        private volatile @Nullable ByteBuffer buffer;

        public Shared(int lengthBytes) {
            this.lengthBytes = lengthBytes;
        }

        /**
         * {@return the buffer; its position and limit must not be changed}
         *
         * @throws OutOfMemoryError if it has not been made yet, and the limit of direct memory is reached
         */
        public ByteBuffer get() {
            ByteBuffer known = buffer;
            if (known == null) {
                known = allocate(lengthBytes);
                buffer = known;
            }
            return known;
        }
    }

    /** {@return whether the calling thread is allocating a buffer here: it is not one of the program's} */
    public static boolean allocating() {
        return ALLOCATING.get() != null;
    }
}
