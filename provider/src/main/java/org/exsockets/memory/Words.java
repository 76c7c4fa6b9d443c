package org.exsockets.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Aligned words of a direct buffer, in native byte order, with the memory ordering in the method's name. */
public final class Words {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();

    private Words() {}

    public static int intVolatile(ByteBuffer memory, int offset) {
        return (int) INT.getVolatile(memory, offset);
    }

    public static int intAcquire(ByteBuffer memory, int offset) {
        return (int) INT.getAcquire(memory, offset);
    }

    public static void intVolatile(ByteBuffer memory, int offset, int value) {
        INT.setVolatile(memory, offset, value);
    }

    public static void intRelease(ByteBuffer memory, int offset, int value) {
        INT.setRelease(memory, offset, value);
    }

    public static int intPlain(ByteBuffer memory, int offset) {
        return (int) INT.get(memory, offset);
    }

    public static void intPlain(ByteBuffer memory, int offset, int value) {
        INT.set(memory, offset, value);
    }

    /** {@return what was there: {@code expected} if it has been replaced by {@code value}} Volatile. */
    public static int intCompareAndExchange(ByteBuffer memory, int offset, int expected, int value) {
        return (int) INT.compareAndExchange(memory, offset, expected, value);
    }

    public static long longVolatile(ByteBuffer memory, int offset) {
        return (long) LONG.getVolatile(memory, offset);
    }

    public static long longAcquire(ByteBuffer memory, int offset) {
        return (long) LONG.getAcquire(memory, offset);
    }

    public static void longVolatile(ByteBuffer memory, int offset, long value) {
        LONG.setVolatile(memory, offset, value);
    }

    public static void longRelease(ByteBuffer memory, int offset, long value) {
        LONG.setRelease(memory, offset, value);
    }

    public static long longPlain(ByteBuffer memory, int offset) {
        return (long) LONG.get(memory, offset);
    }

    public static void longPlain(ByteBuffer memory, int offset, long value) {
        LONG.set(memory, offset, value);
    }

    /** Orders every earlier store of this thread before every later load (the fence of Dekker's handshake). */
    public static void storeLoadFence() {
        VarHandle.fullFence();
    }
}
