package org.exsockets.memory;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Aligned words of a direct buffer, in native byte order, with the memory ordering in the method's name. Throws an unchecked exception
 * where there is no such word.
 */
public final class Words {
    private static final WordAccess ACCESS = WordAccess.find();

    private Words() {}

    public static int intVolatile(ByteBuffer memory, int offset) {
        return ACCESS.intVolatile(memory, offset);
    }

    public static int intAcquire(ByteBuffer memory, int offset) {
        return ACCESS.intAcquire(memory, offset);
    }

    public static void intVolatile(ByteBuffer memory, int offset, int value) {
        ACCESS.intVolatile(memory, offset, value);
    }

    public static void intRelease(ByteBuffer memory, int offset, int value) {
        ACCESS.intRelease(memory, offset, value);
    }

    public static int intPlain(ByteBuffer memory, int offset) {
        return ACCESS.intPlain(memory, offset);
    }

    public static void intPlain(ByteBuffer memory, int offset, int value) {
        ACCESS.intPlain(memory, offset, value);
    }

    /** {@return what was there: {@code expected} if it has been replaced by {@code value}} Volatile. */
    public static int intCompareAndExchange(ByteBuffer memory, int offset, int expected, int value) {
        return ACCESS.intCompareAndExchange(memory, offset, expected, value);
    }

    public static long longVolatile(ByteBuffer memory, int offset) {
        return ACCESS.longVolatile(memory, offset);
    }

    public static long longAcquire(ByteBuffer memory, int offset) {
        return ACCESS.longAcquire(memory, offset);
    }

    public static void longVolatile(ByteBuffer memory, int offset, long value) {
        ACCESS.longVolatile(memory, offset, value);
    }

    public static void longRelease(ByteBuffer memory, int offset, long value) {
        ACCESS.longRelease(memory, offset, value);
    }

    public static long longPlain(ByteBuffer memory, int offset) {
        return ACCESS.longPlain(memory, offset);
    }

    public static void longPlain(ByteBuffer memory, int offset, long value) {
        ACCESS.longPlain(memory, offset, value);
    }

    /** Orders every earlier store of this thread before every later load (the fence of Dekker's handshake). */
    public static void storeLoadFence() {
        VarHandle.fullFence();
    }
}
