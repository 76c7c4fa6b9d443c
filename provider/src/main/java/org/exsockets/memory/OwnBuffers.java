package org.exsockets.memory;

import java.nio.ByteBuffer;

/**
 * Direct buffers of this project's own that stay for the life of the JVM. With {@code exs.direct.buffers} they would be
 * placed among the program's, and keep an arena that is given up otherwise. Any thread.
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
     * A buffer that many share, each by a duplicate or slice. Made when it is needed: a class whose initialiser has found no memory stays
     * broken. Any thread; two may make one each, of which the last stays.
     */
    public static final class Shared {
        private final int lengthBytes;
        private volatile ByteBuffer buffer;

        public Shared(int lengthBytes) {
            this.lengthBytes = lengthBytes;
        }

        /**
         * {@return the buffer, of which position and limit are not to be changed}
         *
         * @throws OutOfMemoryError if it is not there yet, and the limit of direct memory is reached
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
