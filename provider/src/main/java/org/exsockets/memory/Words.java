package org.exsockets.memory;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The aligned words of a direct buffer, in native byte order, with the memory ordering in the method's name. Offsets
 * are those of the buffer, in bytes. Any thread; the buffer stays reachable.
 *
 * <p>They are reached by {@code jdk.internal.misc.Unsafe} where that package is open to this module, which the agent
 * sees to, otherwise by VarHandles. Compiled code is the same. Before it is compiled an access by VarHandle is a walk
 * through a dozen methods of the JDK, some hundred bytecodes: with them half of all that a cold program does for a
 * message.
 */
public abstract class Words {
    /** Of no memory: makes the others. */
    private static final Words FIRST = first();

    private final ByteBuffer memory;

    Words(ByteBuffer memory) {
        this.memory = memory;
    }

    /** {@return words of the fastest kind that works in this JVM} */
    static Words first() {
        try {
            // By name: it is compiled apart, against what the compiler otherwise hides.
            Class<?> fast = Class.forName("org.exsockets.memory.UnsafeWords");
            return (Words) fast.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError | InternalError closed) { // Or gone.
            return HandleWords.first();
        }
    }

    /** {@return words of another buffer, of the same kind} */
    abstract Words over(ByteBuffer other);

    /**
     * {@return the words of a buffer, up to the limit that it has now}
     *
     * @throws IllegalArgumentException if it is not direct
     */
    public static Words of(ByteBuffer memory) {
        if (!memory.isDirect()) {
            throw new IllegalArgumentException("words: memory of the heap has no address: " + memory);
        }
        return FIRST.over(memory);
    }

    public final ByteBuffer memory() {
        return memory;
    }

    /** Orders every earlier store of this thread before every later load (the fence of Dekker's handshake). */
    public static void storeLoadFence() {
        VarHandle.fullFence();
    }

    public abstract int intAcquire(int offset);

    public abstract int intPlain(int offset);

    public abstract void intRelease(int offset, int value);

    public abstract void intPlain(int offset, int value);

    /** {@return what was there: {@code expected} if it has been replaced by {@code value}} Volatile. */
    public abstract int intCompareAndExchange(int offset, int expected, int value);

    public abstract long longAcquire(int offset);

    public abstract long longPlain(int offset);

    public abstract void longRelease(int offset, long value);

    public abstract void longPlain(int offset, long value);
}
