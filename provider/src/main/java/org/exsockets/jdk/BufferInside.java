package org.exsockets.jdk;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads from fields of the JDK's buffers what they do not tell. This needs {@code jdk.internal.misc} open to
 * this module; the agent opens it. A method handle could do the same, but would be compiled late, and every copy asks.
 * Any thread.
 */
public abstract class BufferInside {
    private static final String READER = "org.exsockets.jdk.UnsafeBufferInside";

    /** Null if the package is not open. */
    private static final @Nullable BufferInside OPEN = find();

    BufferInside() {}

    private static @Nullable BufferInside find() {
        try {
            // By name: it is compiled apart, against a package that the compiler otherwise hides.
            return (BufferInside) Class.forName(READER).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError | InternalError closed) { // Or gone.
            return null;
        }
    }

    /** {@return the reader; null if the package is not open} */
    public static @Nullable BufferInside open() {
        return OPEN;
    }

    /** {@return whether the memory of a direct buffer is a mapped file's, all of it or a part} */
    public abstract boolean isMapped(ByteBuffer direct);

    /** {@return whether the memory of a buffer belongs to an arena of java.lang.foreign} */
    public abstract boolean isOfArena(ByteBuffer buffer);

    /**
     * Copies as {@link ByteBuffer#put(int, ByteBuffer, int, int)} does, by half its bytecodes.
     *
     * @return false: nothing was copied, for that method to do it, or to say what is wrong
     */
    public abstract boolean copy(ByteBuffer target, int at, ByteBuffer source, int offset, int length);
}
