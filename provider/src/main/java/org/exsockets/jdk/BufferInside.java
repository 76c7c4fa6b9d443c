package org.exsockets.jdk;

import java.nio.ByteBuffer;

/**
 * What the JDK's buffers do not tell, read from their fields: where {@code jdk.internal.misc} is open to this module, which the
 * agent sees to. A method handle could do the same, but is long before it is compiled, and every copy asks. Any thread.
 */
public abstract class BufferInside {
    private static final String READER = "org.exsockets.jdk.UnsafeBufferInside";

    /** Null where nothing is open. */
    private static final BufferInside OPEN = find();

    BufferInside() {}

    private static BufferInside find() {
        try {
            // By name: it is compiled apart, against what the compiler otherwise hides.
            return (BufferInside) Class.forName(READER).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError closed) {
            return null;
        }
    }

    /** {@return who can tell; null: nobody} */
    public static BufferInside open() {
        return OPEN;
    }

    /** {@return whether the memory of a direct buffer is, or is a part of, what a file is mapped to} */
    public abstract boolean isMapped(ByteBuffer direct);

    /** {@return whether the memory of a buffer is an arena's, of java.lang.foreign} */
    public abstract boolean isOfArena(ByteBuffer buffer);

    /**
     * Copies as {@link ByteBuffer#put(int, ByteBuffer, int, int)} does, by a quarter of its bytecodes.
     *
     * @return false: nothing was copied, for that method to do it, or to say what is wrong
     */
    public abstract boolean copy(ByteBuffer target, int at, ByteBuffer source, int offset, int length);
}
