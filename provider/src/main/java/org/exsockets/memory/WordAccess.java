package org.exsockets.memory;

import java.nio.ByteBuffer;

/**
 * How {@link Words} gets at memory: by {@code jdk.internal.misc.Unsafe} where that package is open to this module, which the agent sees
 * to, otherwise by VarHandles. Compiled code is the same. Before it is compiled an access by VarHandle is a walk through a dozen methods of
 * the JDK, some hundred bytecodes: with them half of all that a cold program does for a message.
 */
abstract class WordAccess {
    private static final String FAST = "org.exsockets.memory.UnsafeWords";

    /** {@return the fastest that works in this JVM} */
    static WordAccess find() {
        try {
            // By name: it is compiled apart, against what the compiler otherwise hides.
            return (WordAccess) Class.forName(FAST).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError closed) {
            return new HandleWords();
        }
    }

    abstract int intVolatile(ByteBuffer memory, int offset);

    abstract int intAcquire(ByteBuffer memory, int offset);

    abstract void intVolatile(ByteBuffer memory, int offset, int value);

    abstract void intRelease(ByteBuffer memory, int offset, int value);

    abstract int intPlain(ByteBuffer memory, int offset);

    abstract void intPlain(ByteBuffer memory, int offset, int value);

    abstract int intCompareAndExchange(ByteBuffer memory, int offset, int expected, int value);

    abstract long longVolatile(ByteBuffer memory, int offset);

    abstract long longAcquire(ByteBuffer memory, int offset);

    abstract void longVolatile(ByteBuffer memory, int offset, long value);

    abstract void longRelease(ByteBuffer memory, int offset, long value);

    abstract long longPlain(ByteBuffer memory, int offset);

    abstract void longPlain(ByteBuffer memory, int offset, long value);
}
